import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'

/**
 * Whether this window accepts edits. If the server refuses the document, edits could be sent nowhere. A page that the server has called too
 * old does not write through its schema any more, not even on this device.
 */
export const canWrite = ({
  role,
  status: { document, link },
}: {
  readonly role: Role
  readonly status: Pick<StableSyncStatus, 'document' | 'link'>
}): boolean =>
  role !== 'viewer' &&
  document.state !== 'refused' &&
  !(link.state === 'stopped' && link.reason.code === 'version')
