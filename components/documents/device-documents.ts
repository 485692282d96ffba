/** The documents this browser holds a copy of, as rows of the list. */
import type { DocumentEntry } from '@/components/api'
import { rememberedPrincipal } from '@/lib/sync/local/principal.ts'

export async function deviceDocuments(): Promise<DocumentEntry[]> {
  // The store brings Yjs along, which the list needs for nothing else.
  const { storeHere } = await import('@/lib/sync/local/here.ts')
  const copies = (await storeHere()?.copies()) ?? []
  const own = copies.filter(({ part, principal }) => part === 'body' && principal === rememberedPrincipal())
  return own
    .toSorted((a, b) => b.at - a.at)
    .map(({ document, title, role, at }) => {
      const time = new Date(at).toISOString()
      return { id: document, title, role, createdAt: time, updatedAt: time }
    })
}

/** Deleted: nothing of its text stays, whether or not a window has it open. */
export async function forgetOnDevice(document: string): Promise<void> {
  const { storeHere } = await import('@/lib/sync/local/here.ts')
  await storeHere()?.forget(document)
}
