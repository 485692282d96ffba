import { describeClose, describeRefusal } from '@/lib/protocol/close.ts'
import type { SyncStatus } from '@/lib/sync/status.ts'
import { refusalsStrings } from '@/lib/strings/refusals.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

export interface EndNotice {
  readonly title: string
  readonly sentence: string
}

/** Why the server accepts no more edits from this window; null as long as it does. */
export function endNoticeOf({
  link,
  document,
  refusal,
}: Pick<SyncStatus, 'link' | 'document' | 'refusal'>): EndNotice | null {
  const { title } = saveStateStrings.ended
  if (document.state === 'refused') {
    const { reason } = document
    return reason.code === 'forbidden'
      ? {
          title: refusalsStrings.accessLost.title,
          sentence: reason.detail ?? refusalsStrings.accessLost.hint,
        }
      : { title, sentence: describeClose(reason) }
  }
  if (link.state === 'stopped') return { title, sentence: describeClose(link.reason) }
  return refusal ? { title, sentence: describeRefusal(refusal) } : null
}
