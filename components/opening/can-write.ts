import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'

/** Whether this window accepts edits. If the server refuses the document, edits could be sent nowhere. */
export const canWrite = ({
  role,
  status,
}: {
  readonly role: Role
  readonly status: StableSyncStatus
}): boolean => role !== 'viewer' && status.document.state !== 'refused'
