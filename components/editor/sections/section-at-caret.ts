/** Moves the section with a position of the text, as that of the caret. */
import type { Editor } from '@tiptap/core'
import type { OpenDocument } from '@/lib/client.ts'
import { headingsOf, type Heading } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { moveSectionByAction, canMoveSection } from './section-moves.ts'
import type { SectionAction } from './section-actions.ts'
import { toast } from '@/components/ui/toast.ts'
import { textFragmentOf } from '@/components/binding/use-text-tree.ts'
import { undoStrings } from '@/lib/strings/undo.ts'

export function canMoveSectionAt(
  position: number,
  editor: Editor,
  opened: OpenDocument,
  action: SectionAction,
): boolean {
  const heading = headingAt(position, editor, opened)
  return heading !== undefined && canMoveSection(opened, heading.index, action)
}

export function moveSectionAt(
  position: number,
  editor: Editor,
  opened: OpenDocument,
  action: SectionAction,
): void {
  const heading = headingAt(position, editor, opened)
  const moved = heading && moveSectionByAction(opened, heading, heading.index, action)
  if (moved)
    toast(`${moved.announcement}.`, {
      id: 'section',
      action: { label: undoStrings.undo, onClick: moved.takeBack },
    })
}

type TopLevelHeading = Heading & { readonly index: number }

/** The last heading of a section that begins at or before the position's block. */
function headingAt(position: number, { state }: Editor, opened: OpenDocument): TopLevelHeading | undefined {
  const block = state.doc.resolve(position).index(0)
  return headingsOf(treeOf(textFragmentOf(opened))).findLast(
    (heading): heading is TopLevelHeading => heading.index !== null && heading.index <= block,
  )
}
