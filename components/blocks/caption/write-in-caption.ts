import { NodeSelection, Plugin, TextSelection } from '@tiptap/pm/state'
import { caption } from '@/lib/blocks/caption/caption.ts'

/** Puts what a person types while a block with a caption is selected into the caption: it would replace the block. */
export const writeInCaption = (): Plugin =>
  new Plugin({
    props: {
      handleTextInput(view, _from, _to, letters) {
        const { selection, tr } = view.state
        if (!(selection instanceof NodeSelection) || selection.node.firstChild?.type.name !== caption.name)
          return false
        const end = selection.from + 1 + selection.node.firstChild.nodeSize - 1
        tr.insertText(letters, end)
        view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + letters.length)).scrollIntoView())
        return true
      },
    },
  })
