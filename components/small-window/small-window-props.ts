import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'

/** What the small window tells of. */
export interface SmallWindowProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
}
