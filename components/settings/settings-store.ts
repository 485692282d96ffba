import { MIRROR_KEY, SettingsStore } from '@/lib/desk/settings.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'

/** Storage can be forbidden, and a server has none. */
const localStorageMirror = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => localStorage.setItem(key, value),
}

/** This page's. */
export const settingsStore = new SettingsStore({ mirror: localStorageMirror, person: rememberedPrincipal })

/** Hears what other windows of this browser choose. Returns its undo. */
export function listenToOtherWindows(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === MIRROR_KEY) settingsStore.readMirror()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
