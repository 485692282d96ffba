/** Removes what other people left in this browser: texts, settings and pages. Knows where it is stored, and no React. */
import { fetchProfile } from '@/components/profile/remembered-profile.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { browserLocalRecords } from '@/lib/sync/local/browser-records.ts'
import type { OtherPeopleData } from '@/lib/sync/local/local-records.ts'

/** These entries belong to the browser itself, or to the present person, as the server says. */
const keysToKeep: ReadonlySet<string> = new Set([
  'diptych.me',
  'diptych.principal',
  'diptych.device',
  'diptych.transport',
  'diptych.sharing',
])

/** What other people left, as found for this person. */
export interface FoundOtherPeopleData extends OtherPeopleData {
  readonly principal: string
}

/**
 * Returns null if nobody has left anything, or if the present person is unknown. Asks the server first, because the browser may not know
 * the person yet.
 */
export async function findOtherPeopleData(): Promise<FoundOtherPeopleData | null> {
  const { id: principal } = await fetchProfile()
  const found = await browserLocalRecords()?.findOtherPeopleData(principal)
  return found ? { ...found, principal } : null
}

/**
 * The page must be reloaded afterwards: it and its service worker still hold the removed data.
 *
 * @throws {Error} if somebody else is here by now: this person was not told about that data, and it may exist nowhere else.
 */
export async function removeOtherPeopleData({ principal }: FoundOtherPeopleData): Promise<void> {
  if (rememberedPrincipal() !== principal) throw new Error('Somebody else is here by now.')
  await browserLocalRecords()?.removeOtherPeopleData(principal)
  for (const key of Object.keys(localStorage)) if (!keysToKeep.has(key)) localStorage.removeItem(key)
  sessionStorage.clear()
  await Promise.all((await listCaches()).map((name) => caches.delete(name)))
  const workers = await navigator.serviceWorker?.getRegistrations()
  await Promise.all((workers ?? []).map((worker) => worker.unregister()))
}

/** Some browsers have no caches if they do not trust the certificate. */
const listCaches = (): Promise<string[]> => ('caches' in globalThis ? caches.keys() : Promise.resolve([]))
