/** Takes out of this browser what other people left in it: texts, settings and pages. Knows where things lie, and no React. */
import { fetchProfile } from '@/components/documents/remembered-profile'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import type { OtherPeopleData } from '@/lib/sync/local/local-store.ts'

/** These entries belong to the browser itself, or to the person who is here now, as the server says. */
const keptKeys: ReadonlySet<string> = new Set([
  'diptych.me',
  'diptych.principal',
  'diptych.device',
  'diptych.transport',
  'diptych.sharing',
])

/** What others left, as it was found for this person. */
export interface FoundOtherPeopleData extends OtherPeopleData {
  readonly principal: string
}

/** Null where nobody has left anything, and where it is not known who this is. Asks the server first: the browser may not know it yet. */
export async function findOtherPeopleData(): Promise<FoundOtherPeopleData | null> {
  const { id: principal } = await fetchProfile()
  const { browserLocalStore } = await import('@/lib/sync/local/browser-store.ts')
  const found = await browserLocalStore()?.findOtherPeopleData(principal)
  return found ? { ...found, principal } : null
}

/**
 * The page is to be loaded anew afterwards: it and its service worker still hold what was there.
 *
 * @throws {Error} where somebody else is here by now: what is theirs was not told of, and may be nowhere else.
 */
export async function removeOtherPeopleData({ principal }: FoundOtherPeopleData): Promise<void> {
  if (rememberedPrincipal() !== principal) throw new Error('Somebody else is here by now.')
  const { browserLocalStore } = await import('@/lib/sync/local/browser-store.ts')
  await browserLocalStore()?.removeOtherPeopleData(principal)
  for (const key of Object.keys(localStorage)) if (!keptKeys.has(key)) localStorage.removeItem(key)
  sessionStorage.clear()
  await Promise.all((await listCaches()).map((name) => caches.delete(name)))
  const workers = await navigator.serviceWorker?.getRegistrations()
  await Promise.all((workers ?? []).map((worker) => worker.unregister()))
}

/** There are none where the browser does not trust the certificate. */
const listCaches = (): Promise<string[]> => ('caches' in globalThis ? caches.keys() : Promise.resolve([]))
