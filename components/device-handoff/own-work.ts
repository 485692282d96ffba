/** What the person of this device would leave behind by going on as somebody else. */
import type { DocumentEntry } from '@/components/http-api'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import type { UnsavedRows } from '@/lib/sync/local/local-store.ts'

/** A document that was made and never touched, as every guest's first, is no loss. In ms. */
const UNTOUCHED_MS = 10_000

/** Those that nobody else may own: without their owner's session they can be neither shared nor deleted. */
export const ownTouchedDocuments = (documents: readonly DocumentEntry[]): readonly DocumentEntry[] =>
  documents.filter(
    ({ role, createdAt, updatedAt }) =>
      role === 'owner' && Date.parse(updatedAt) - Date.parse(createdAt) > UNTOUCHED_MS,
  )

/** Changes that were made on this device, in any of its windows, and are not on the server. */
export async function countUnsentChanges(): Promise<number> {
  const { browserLocalStore } = await import('@/lib/sync/local/browser-store.ts')
  return sumUnsentChanges((await browserLocalStore()?.listUnsavedRows()) ?? [], rememberedPrincipal())
}

/** A window's place or a chosen theme is no work: the desk does not count. */
export const sumUnsentChanges = (unsavedRows: readonly UnsavedRows[], person: string): number =>
  unsavedRows
    .filter(({ part, principal }) => part !== 'desk' && ['', person].includes(principal))
    .reduce((sum, { changes }) => sum + changes, 0)
