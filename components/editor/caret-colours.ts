/** Carets and selections of others in the text, each in the colour and under the name that its person has here. */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { shownName } from '@/lib/protocol/link-caller.ts'
import { showName } from './caret-names'
import { type PresentPeople, shownColour } from './present-people'

interface CaretUser {
  readonly id?: unknown
  readonly name?: unknown
}

export const caretPerson = ({ id, name }: CaretUser): string => String(id ?? name)

export const caretsIn = (people: PresentPeople) => ({
  render(user: CaretUser): HTMLElement {
    const caret = document.createElement('span')
    caret.className = 'caret'
    caret.dataset.person = caretPerson(user)
    const name = document.createElement('span')
    name.className = 'caret-name'
    name.textContent = shownName({ id: user.id, name: String(user.name).slice(0, 80) })
    caret.append('\u2060', name, '\u2060')
    paint(caret, people)
    showName(caret)
    return caret
  },
  selectionRender: (user: CaretUser) => ({
    style: `background-color: ${shownColour(people, caretPerson(user))}38`,
  }),
})

function paint(caret: HTMLElement, people: PresentPeople): void {
  const { person = '' } = caret.dataset
  caret.style.setProperty('--caret', shownColour(people, person))
  const name = people.get().get(person)?.name
  const label = caret.querySelector('.caret-name')
  if (label && name !== undefined && label.textContent !== name) label.textContent = name
}

/** A caret is drawn once for each window: it takes over a colour or a name that its person has only since. */
export const caretColours = (people: PresentPeople): Extension =>
  Extension.create({
    name: 'caretColours',
    addProseMirrorPlugins() {
      const watch = (text: Element) => {
        const stop = people.subscribe(() => {
          for (const caret of text.querySelectorAll<HTMLElement>('.caret')) paint(caret, people)
        })
        return { destroy: stop }
      }
      return [new Plugin({ view: ({ dom }) => watch(dom) })]
    },
  })
