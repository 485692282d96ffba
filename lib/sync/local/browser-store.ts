/** The local store of this browser, where the browser supports one. */
import { realClock } from '../../session/clock.ts'
import { isLocalStoreSupported } from './browser-records.ts'
import { LocalCopy } from './local-copy.ts'
import { rememberedPrincipal, rememberPrincipal } from './remembered-principal.ts'
import type { PartKey } from './local-records.ts'
import { LocalStore } from './local-store.ts'

let store: LocalStore | undefined

/** Returns null in Node, and where a browser stores nothing for this page. */
export const browserLocalStore = (): LocalStore | null =>
  isLocalStoreSupported() ? (store ??= new LocalStore(indexedDB)) : null

/** @param principal Whose text it is, as far as the server has said: somebody else may have signed in here since. */
export function browserLocalCopy(key: PartKey, principal: string): LocalCopy | null {
  const localStore = browserLocalStore()
  if (!localStore) return null
  return new LocalCopy(key, {
    store: localStore,
    locks: navigator.locks,
    clock: realClock,
    principal: principal || rememberedPrincipal(),
    remember: rememberPrincipal,
  })
}
