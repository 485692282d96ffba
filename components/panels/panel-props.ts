/** The props of every panel. A panel does not know whether it is docked beside the text or alone in a window. */
import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'
import type { OwnPresenceUser } from '@/components/profile/own-presence-user.ts'

export interface PanelProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  readonly role: Role
  readonly user: OwnPresenceUser
  readonly docked: boolean
}
