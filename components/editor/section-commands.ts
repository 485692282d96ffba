/** What can be done with the section that the caret is in. */
import type { Editor } from '@tiptap/core'
import type { OpenDocument } from '@/lib/client.ts'
import { headingsOf, type Heading } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import type { Command } from '@/components/commands/registry'
import { stepSection, canStep } from '@/components/panels/outline/move'
import { stepCommands } from '@/components/panels/outline/steps'
import { toast } from '@/components/ui/toast'
import { textOf } from '@/components/panels/use-tree'
import { strings } from '@/lib/strings/undo.ts'

export const sectionCommands = (editor: Editor, opened: OpenDocument): readonly Command[] =>
  stepCommands(
    (step) => {
      const head = headAtCaret(editor, opened)
      return head !== undefined && canStep(opened, head.index, step)
    },
    (step) => {
      const head = headAtCaret(editor, opened)
      const moved = head && stepSection(opened, head, head.index, step)
      if (moved)
        toast(`${moved.said}.`, { id: 'section', action: { label: strings.undo, onClick: moved.takeBack } })
    },
  )

type TopHeading = Heading & { readonly index: number }

/** The last heading of a section that begins at the caret's block or before. */
function headAtCaret(editor: Editor, opened: OpenDocument): TopHeading | undefined {
  const caret = editor.state.selection.$from.index(0)
  return headingsOf(treeOf(textOf(opened))).findLast(
    (heading): heading is TopHeading => heading.index !== null && heading.index <= caret,
  )
}
