/**
 * Before each commit React looks where the selection is in the element that has the focus, if that element's `contentEditable` is `true`, and
 * walks through all nodes before it: 6 ms of a key in a long document with code. It would restore the selection where it replaces
 * the element, which it never does with an editor's. The attribute stays as it is, and with it all that a browser does.
 */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'

export const HideFromReact = Extension.create({
  name: 'hideFromReact',
  addProseMirrorPlugins: () => [
    new Plugin({
      view({ dom }) {
        Object.defineProperty(dom, 'contentEditable', {
          configurable: true,
          get: () => (dom.getAttribute('contenteditable') === 'false' ? 'false' : 'inherit'),
          set(value: string) {
            dom.setAttribute('contenteditable', value)
          },
        })
        return {}
      },
    }),
  ],
})
