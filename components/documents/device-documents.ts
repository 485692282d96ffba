/** The documents that this browser holds a copy of, as rows of the list. */
import type { ChannelRole } from '@/lib/protocol/channel-messages.ts'
import { browserLocalRecords } from '@/lib/sync/local/browser-records.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'

export interface DeviceDocument {
  readonly id: string
  readonly title: string
  readonly role: ChannelRole
  /** When the copy was made, in ISO 8601. */
  readonly copiedAt: string
}

export async function listDeviceDocuments(): Promise<DeviceDocument[]> {
  const copies = (await browserLocalRecords()?.listCopies()) ?? []
  const ownCopies = copies.filter(
    ({ part, principal }) => part === 'body' && principal === rememberedPrincipal(),
  )
  return ownCopies
    .toSorted((a, b) => b.at - a.at)
    .map(({ document, title, role, at }) => ({
      id: document,
      title,
      role,
      copiedAt: new Date(at).toISOString(),
    }))
}

/** Removes all text of a deleted document, whether or not a window has it open. */
export async function removeFromDevice(document: string): Promise<void> {
  await browserLocalRecords()?.removeCopies(document)
}
