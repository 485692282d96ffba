/** Other people's carets and selections in the text, each with the colour and the name that its person has here. */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { shownName } from '@/lib/protocol/link-caller.ts'
import { showCaretName } from './caret-names.ts'
import { type PersonAppearances, colourOfPerson } from '../people/person-appearances.ts'

interface CaretUser {
  readonly id?: unknown
  readonly name?: unknown
}

export const caretPersonId = ({ id, name }: CaretUser): string => String(id ?? name)

export const remoteCaretRenderers = (people: PersonAppearances) => ({
  render(user: CaretUser): HTMLElement {
    const caret = document.createElement('span')
    caret.className = 'caret'
    // A screen reader would read the name in mid-word. The list of people has it.
    caret.ariaHidden = 'true'
    caret.dataset.person = caretPersonId(user)
    const name = document.createElement('span')
    name.className = 'caret-name'
    name.dataset.name = shownName({ id: user.id, name: String(user.name).slice(0, 80) })
    caret.append('\u2060', name, '\u2060')
    paintCaret(caret, people)
    showCaretName(caret)
    return caret
  },
  selectionRender: (user: CaretUser) => ({
    style: `background-color: ${colourOfPerson(people, caretPersonId(user))}38`,
  }),
})

function paintCaret(caret: HTMLElement, people: PersonAppearances): void {
  const { person = '' } = caret.dataset
  caret.style.setProperty('--caret', colourOfPerson(people, person))
  const name = people.get().get(person)?.name
  const label = caret.querySelector<HTMLElement>('.caret-name')
  if (label && name !== undefined) label.dataset.name = name
}

/** A caret is drawn once for each window. This updates it when its person's colour or name changes. */
export const remoteCaretUpdates = (people: PersonAppearances): Extension =>
  Extension.create({
    name: 'caretColours',
    addProseMirrorPlugins() {
      const watchPeople = (text: Element) => {
        const stop = people.subscribe(() => {
          for (const caret of text.querySelectorAll<HTMLElement>('.caret')) paintCaret(caret, people)
        })
        return { destroy: stop }
      }
      return [new Plugin({ view: ({ dom }) => watchPeople(dom) })]
    },
  })
