import { describeClose, describeRefusal } from '@/lib/protocol/close.ts'
import type { SyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'
import { strings as refusals } from '@/lib/strings/refusals.ts'
import { strings } from '@/lib/strings/save-state.ts'

const { accessLost, ownDeleted } = refusals

export interface EndNotice {
  readonly title: string
  readonly sentence: string
  /** The label of the button that loads the page again. */
  readonly reload: string
}

/** Why the server accepts no more edits from this window; null as long as it does. An owner loses access only with the document. */
export function endNoticeOf(
  { link, document, refusal }: Pick<SyncStatus, 'link' | 'document' | 'refusal'>,
  role: Role,
): EndNotice | null {
  const { title, reload } = strings.ended
  if (document.state === 'refused') {
    const { reason } = document
    if (reason.code !== 'forbidden') return { title, sentence: describeClose(reason), reload }
    return role === 'owner'
      ? { title: ownDeleted.title, sentence: ownDeleted.hint, reload: ownDeleted.reload }
      : { title: accessLost.title, sentence: reason.detail ?? accessLost.hint, reload }
  }
  if (link.state === 'stopped') return { title, sentence: describeClose(link.reason), reload }
  return refusal ? { title, sentence: describeRefusal(refusal), reload } : null
}
