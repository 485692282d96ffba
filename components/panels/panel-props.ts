/** What a panel is given. It knows nothing of where it stands: docked beside the text, or alone in a window of its own. */
import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api'
import type { OwnPresenceUser } from '@/components/opening/own-presence-user'

export interface PanelProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  readonly role: Role
  readonly user: OwnPresenceUser
  readonly docked: boolean
}
