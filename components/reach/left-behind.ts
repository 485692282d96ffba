/** What the person of this device would leave behind by going on as somebody else. */
import type { DocumentEntry } from '@/components/api'
import { rememberedPrincipal } from '@/lib/sync/local/principal.ts'

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
  const { storeHere } = await import('@/lib/sync/local/here.ts')
  const left = (await storeHere()?.leftovers()) ?? []
  return left
    .filter(({ principal }) => ['', rememberedPrincipal()].includes(principal))
    .reduce((sum, { changes }) => sum + changes, 0)
}
