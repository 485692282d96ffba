import { listHelpers, ListKeymap } from '@tiptap/extension-list/keymap'
import type { Node } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'

/**
 * Backspace at the start of a line behind a list joins the line with the last one of the list. Where the list's last item ends with something
 * else than a line, as with a divider, Tiptap puts the caret beside that, where there are no letters, and what is typed next replaces it. So
 * there the line becomes an item, as ProseMirror does by itself. And one press does one thing: Tiptap lets the next kind of list answer, too.
 */
export const ListKeys = ListKeymap.extend({
  addKeyboardShortcuts() {
    const pressBackspace = (): boolean =>
      this.options.listTypes.some(
        ({ itemName, wrapperNames }) =>
          !hasListWithoutLastLine(this.editor.state, itemName, wrapperNames) &&
          listHelpers.handleBackspace(this.editor, itemName, wrapperNames),
      )
    return { ...this.parent?.(), Backspace: pressBackspace, 'Mod-Backspace': pressBackspace }
  },
})

function hasListWithoutLastLine(state: EditorState, itemName: string, listNames: string[]): boolean {
  if (!listHelpers.hasListBefore(state, itemName, listNames)) return false
  const list = state.doc.resolve(state.selection.anchor - 2).node()
  let lastItem: Node | undefined
  list.descendants((node) => {
    if (node.type.name === itemName) lastItem = node
  })
  return lastItem?.lastChild?.isTextblock === false
}
