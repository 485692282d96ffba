/** Takes out of this browser what other people left in it: texts, settings and pages. Knows where things lie, and no React. */
import { rememberedPrincipal } from '@/lib/sync/local/principal.ts'
import type { LeftByOthers } from '@/lib/sync/local/store.ts'

/** These entries belong to the browser itself, or to the person who is here now, as the server says. */
const kept: ReadonlySet<string> = new Set([
  'diptych.me',
  'diptych.principal',
  'diptych.device',
  'diptych.transport',
  'diptych.sharing',
])

/** Null where nobody has left anything, and where it is not known who this is. */
export async function leftByOthers(): Promise<LeftByOthers | null> {
  const me = rememberedPrincipal()
  const { storeHere } = await import('@/lib/sync/local/here.ts')
  return me === '' ? null : ((await storeHere()?.othersHere(me)) ?? null)
}

/** The page is to be loaded anew afterwards: it and its service worker still hold what was there. */
export async function forgetOthers(): Promise<void> {
  const me = rememberedPrincipal()
  const { storeHere } = await import('@/lib/sync/local/here.ts')
  if (me !== '') await storeHere()?.forgetOthers(me)
  for (const key of Object.keys(localStorage)) if (!kept.has(key)) localStorage.removeItem(key)
  sessionStorage.clear()
  await Promise.all((await keptCaches()).map((name) => caches.delete(name)))
  const workers = await navigator.serviceWorker?.getRegistrations()
  await Promise.all((workers ?? []).map((worker) => worker.unregister()))
}

/** There are none where the browser does not trust the certificate. */
const keptCaches = (): Promise<string[]> => ('caches' in globalThis ? caches.keys() : Promise.resolve([]))
