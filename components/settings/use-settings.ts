import { useEffect, useSyncExternalStore } from 'react'
import { defaultSettings, type Settings } from '@/lib/desk/settings.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { settings } from './store'

export const useSettings = (): Settings =>
  useSyncExternalStore(settings.subscribe, settings.get, () => defaultSettings)

/** While a document is open, so is its reader's desk. */
export function useSettingsOfDesk(opened: Pick<OpenDocument, 'desk'>): void {
  useEffect(() => (opened.desk ? settings.attachDesk(opened.desk) : undefined), [opened])
}
