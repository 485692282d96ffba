/** The local store of this browser, where there is one. */
import { realClock } from '../../session/clock.ts'
import { LocalCopy } from './local-copy.ts'
import { rememberedPrincipal, rememberPrincipal } from './principal.ts'
import { LocalStore, type Place } from './store.ts'

let store: LocalStore | undefined

/** Null in Node, and where a browser keeps nothing for this page. */
export function storeHere(): LocalStore | null {
  const isThere = typeof window !== 'undefined' && 'indexedDB' in window && 'locks' in navigator
  return isThere ? (store ??= new LocalStore(indexedDB)) : null
}

/** @param principal Whose text it is, as far as the server has said: somebody else may have signed in here since. */
export function localCopyHere(place: Place, principal: string): LocalCopy | null {
  const found = storeHere()
  if (!found) return null
  return new LocalCopy(place, {
    store: found,
    locks: navigator.locks,
    clock: realClock,
    principal: principal || rememberedPrincipal(),
    remember: rememberPrincipal,
  })
}
