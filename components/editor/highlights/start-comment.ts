import type { Editor } from '@tiptap/react'
import { toast } from '@/components/ui/toast.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { threadAnchorOf } from '@/lib/comments/thread-anchor.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { linesOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { lineRangeBetween } from './highlights.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

/** Begins a comment on the selected text. */
export function startComment(editor: Editor, { doc }: OpenDocument): void {
  const { from, to } = editor.state.selection
  const lines = linesOf(treeOf(doc.getXmlFragment('default')))
  const anchor = threadAnchorOf(lines, lineRangeBetween(editor.state, from, to))
  if (anchor) threadFocusOf(doc).set({ draft: anchor, draftEditor: editor })
  else toast(editorStrings.commentForm.nothingSelected)
}
