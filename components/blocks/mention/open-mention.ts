/** Opens a mentioned document, or shows a mentioned person’s caret. Knows no editor. */
import { caretOf } from '@/components/following/caret-of.ts'
import { toast } from '@/components/ui/toast.ts'
import type { Mention } from '@/lib/blocks/mention/mention.ts'
import type { TextPosition } from '@/lib/following/text-position.ts'
import { mentionListStrings } from '@/lib/strings/mention-list.ts'
import type { MentionContext } from './mention-names.ts'

/** A document opens in a tab of its own, a person’s caret is shown. */
export function openMention(
  { kind, id }: Mention,
  name: string,
  { document, awareness }: MentionContext,
  goTo: (caret: TextPosition) => void,
): void {
  if (id === null || id === document) return
  if (kind === 'document') return void window.open(`/d/${id}`, '_blank', 'noopener')
  const caret = caretOf(awareness, id)
  if (caret) goTo(caret)
  else toast(mentionListStrings.notHere(name), { id: 'not-here' })
}
