/** What the person of this device would leave behind by going on as somebody else. */
import type { DocumentEntry } from '@/components/api'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import type { UnsavedRows } from '@/lib/sync/local/local-store.ts'

/** A document that was made and never touched, as every guest's first, is no loss. In ms. */
const UNTOUCHED_MS = 10_000

/** Those that nobody else may own: without their owner's session they can be neither shared nor deleted. */
export const ownWork = (documents: readonly DocumentEntry[]): readonly DocumentEntry[] =>
  documents.filter(
    ({ role, createdAt, updatedAt }) =>
      role === 'owner' && Date.parse(updatedAt) - Date.parse(createdAt) > UNTOUCHED_MS,
  )

/** Changes that were made on this device, in any of its windows, and are not on the server. */
export async function unsentChanges(): Promise<number> {
  const { browserLocalStore } = await import('@/lib/sync/local/browser-store.ts')
  return changesIn((await browserLocalStore()?.listUnsavedRows()) ?? [], rememberedPrincipal())
}

/** A window's place or a chosen theme is no work: the desk does not count. */
export const changesIn = (left: readonly UnsavedRows[], person: string): number =>
  left
    .filter(({ part, principal }) => part !== 'desk' && ['', person].includes(principal))
    .reduce((sum, { changes }) => sum + changes, 0)
