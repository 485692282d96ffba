import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'
import type { OwnPresenceUser } from '@/components/profile/own-presence-user.ts'

/** A document that a window shows, and in which role, and to whom. */
export interface OpenedDocumentProps {
  readonly id: string
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  readonly role: Role
  readonly user: OwnPresenceUser
  /** Opens the document once more, for a window whose document was refused. */
  readonly reopen: () => void
}
