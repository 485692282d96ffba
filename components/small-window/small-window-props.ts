import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'

/** The props of the small window. */
export interface SmallWindowProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
}
