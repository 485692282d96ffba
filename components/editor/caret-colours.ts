/** Carets and selections of others in the text, each in the colour that its person has here. */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { shownName } from '@/lib/protocol/link-caller.ts'
import { showName } from './caret-names'
import type { colourStoreOf } from './colour'

type Colours = ReturnType<typeof colourStoreOf>

interface CaretUser {
  readonly id?: unknown
  readonly name?: unknown
}

export const caretPerson = ({ id, name }: CaretUser): string => String(id ?? name)

export const caretsIn = (colours: Colours) => ({
  render(user: CaretUser): HTMLElement {
    const caret = document.createElement('span')
    caret.className = 'caret'
    caret.dataset.person = caretPerson(user)
    paint(caret, colours)
    const name = document.createElement('span')
    name.className = 'caret-name'
    name.textContent = shownName({ id: user.id, name: String(user.name).slice(0, 80) })
    caret.append('\u2060', name, '\u2060')
    showName(caret)
    return caret
  },
  selectionRender: (user: CaretUser) => ({ style: `background-color: ${colours.get(caretPerson(user))}38` }),
})

const paint = (caret: HTMLElement, colours: Colours): void =>
  caret.style.setProperty('--caret', colours.get(caret.dataset.person ?? ''))

/** A caret is drawn once for each window: it takes over a colour that its person has only since. */
export const caretColours = (colours: Colours): Extension =>
  Extension.create({
    name: 'caretColours',
    addProseMirrorPlugins() {
      const watch = (text: Element) => {
        const stop = colours.subscribe(() => {
          for (const caret of text.querySelectorAll<HTMLElement>('.caret')) paint(caret, colours)
        })
        return { destroy: stop }
      }
      return [new Plugin({ view: ({ dom }) => watch(dom) })]
    },
  })
