import { useEffect, useSyncExternalStore } from 'react'
import { defaultSettings, type Settings } from '@/lib/desk/settings.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { settingsStore } from './settings-store.ts'

export const useSettings = (): Settings =>
  useSyncExternalStore(settingsStore.subscribe, settingsStore.get, () => defaultSettings)

/** While a document is open, so is its reader's desk. */
export function useDeskSettings(opened: Pick<OpenDocument, 'desk'>): void {
  useEffect(() => (opened.desk ? settingsStore.attachDesk(opened.desk) : undefined), [opened])
}
