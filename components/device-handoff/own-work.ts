/** What this device's person would leave behind by continuing as somebody else. */
import type { DocumentEntry } from '@/components/http-api.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { browserLocalRecords } from '@/lib/sync/local/browser-records.ts'
import type { UnsavedRows } from '@/lib/sync/local/local-records.ts'

/** In ms. A document that was created and never touched, like the first one of every guest, is no loss. */
const UNTOUCHED_MS = 10_000

/** The documents that only this person owns: without the owner's session they can neither be shared nor deleted. */
export const ownTouchedDocuments = (documents: readonly DocumentEntry[]): readonly DocumentEntry[] =>
  documents.filter(
    ({ role, createdAt, updatedAt }) =>
      role === 'owner' && Date.parse(updatedAt) - Date.parse(createdAt) > UNTOUCHED_MS,
  )

/** Counts the changes made on this device, in any of its windows, that are not on the server. */
export async function countUnsentChanges(): Promise<number> {
  return sumUnsentChanges((await browserLocalRecords()?.listUnsavedRows()) ?? [], rememberedPrincipal())
}

/** The desk does not count: a window's bounds or a chosen theme is no work. */
export const sumUnsentChanges = (unsavedRows: readonly UnsavedRows[], person: string): number =>
  unsavedRows
    .filter(({ part, principal }) => part !== 'desk' && ['', person].includes(principal))
    .reduce((sum, { changes }) => sum + changes, 0)
