import { MIRROR_KEY, SettingsStore } from '@/lib/desk/settings.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'

/** Storage may be blocked, and a server has none. */
const localStorageMirror = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => localStorage.setItem(key, value),
}

/** The settings of this page. */
export const settingsStore = new SettingsStore({ mirror: localStorageMirror, person: rememberedPrincipal })

/** Applies what other windows of this browser choose. Returns a function that stops it. */
export function listenToOtherWindows(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === MIRROR_KEY) settingsStore.readMirror()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
