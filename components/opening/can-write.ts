import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api'

/** Whether this window takes edits: a document that the server refuses would send them nowhere. */
export const canWrite = ({
  role,
  status,
}: {
  readonly role: Role
  readonly status: StableSyncStatus
}): boolean => role !== 'viewer' && status.document.state !== 'refused'
