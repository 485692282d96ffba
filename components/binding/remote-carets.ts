/** Other people's carets and selections in the text, each with the colour and the name that its person has here. */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, Selection } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { fieldsOf } from '@/lib/protocol/value-reader.ts'
import { shownName } from '@/lib/protocol/link-caller.ts'
import { showCaretName } from './caret-names.ts'
import { absolutePositionOf } from './positions.ts'
import type { Reading } from './reading.ts'
import { isDrawn, textBindingOf } from './text-binding.ts'
import { type PersonAppearances, colourOfPerson } from '@/components/profile/person-appearances.ts'

interface CaretUser {
  readonly id?: unknown
  readonly name?: unknown
}

const nameOf = ({ name }: CaretUser): string => (typeof name === 'string' ? name : '')

export const caretPersonId = (user: CaretUser): string =>
  typeof user.id === 'string' || typeof user.id === 'number' ? String(user.id) : nameOf(user)

export const caretsKey = new PluginKey<DecorationSet>('remoteCarets')

/** Draws the carets that others publish in the awareness, as programs with Tiptap's own binding do, too. */
export const remoteCarets = (awareness: Awareness, people: PersonAppearances): Extension =>
  Extension.create({
    name: 'remoteCarets',
    addProseMirrorPlugins() {
      return [
        new Plugin<DecorationSet>({
          key: caretsKey,
          state: {
            init: () => DecorationSet.empty,
            apply: (transaction, carets, _before, state) =>
              transaction.getMeta(caretsKey) === true || (transaction.docChanged && isDrawn(transaction))
                ? DecorationSet.create(transaction.doc, caretsIn(state, awareness, people))
                : carets.map(transaction.mapping, transaction.doc),
          },
          props: { decorations: (state) => caretsKey.getState(state) },
          view: (view) => ({ destroy: redrawOnPresence(view, awareness) }),
        }),
      ]
    },
  })

/** Presence comes in bursts: the carets are drawn once for all of a turn. */
function redrawOnPresence(view: EditorView, awareness: Awareness): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const redraw = (): void => {
    timer = undefined
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(caretsKey, true))
  }
  const onChange = (): void => {
    timer ??= setTimeout(redraw)
  }
  awareness.on('change', onChange)
  onChange()
  return () => {
    clearTimeout(timer)
    awareness.off('change', onChange)
  }
}

function caretsIn(state: EditorState, awareness: Awareness, people: PersonAppearances): Decoration[] {
  const reading = textBindingOf(state)?.reading
  if (!reading) return []
  return [...awareness.getStates()].flatMap(([client, fields]) => {
    const { cursor, user } = fieldsOf(fields)
    if (client === awareness.clientID || !cursor) return []
    const { anchor, head } = fieldsOf(cursor)
    const [start, end] = [positionIn(reading, anchor), positionIn(reading, head)]
    const person = { name: `User: ${client}`, ...fieldsOf(user) }
    return start === null || end === null ? [] : drawCaret(state.doc, client, person, start, end, people)
  })
}

/** Between two blocks a caret would take a line of its own, and move all that is below it. */
function placeInLine(doc: Node, at: number): number | null {
  const $at = doc.resolve(at)
  if ($at.parent.inlineContent) return at
  return (Selection.findFrom($at, -1, true) ?? Selection.findFrom($at, 1, true))?.head ?? null
}

/** Anybody may have published it. */
function positionIn(reading: Reading, position: unknown): number | null {
  try {
    return absolutePositionOf(reading, Y.createRelativePositionFromJSON(position))
  } catch {
    return null
  }
}

function drawCaret(
  doc: Node,
  client: number,
  user: CaretUser,
  anchor: number,
  head: number,
  people: PersonAppearances,
): Decoration[] {
  const place = placeInLine(doc, head)
  const create = (): HTMLElement => createCaret(user, people)
  const caret = place === null ? [] : [Decoration.widget(place, create, { key: String(client), side: 10 })]
  const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)]
  const style = `background-color: ${colourOfPerson(people, caretPersonId(user))}38`
  const inclusive = { inclusiveEnd: true, inclusiveStart: false }
  return from === to ? caret : [...caret, Decoration.inline(from, to, { style }, inclusive)]
}

function createCaret(user: CaretUser, people: PersonAppearances): HTMLElement {
  const caret = document.createElement('span')
  caret.className = 'caret'
  // A screen reader would read the name in mid-word. The list of people has it.
  caret.ariaHidden = 'true'
  caret.dataset.person = caretPersonId(user)
  const name = document.createElement('span')
  name.className = 'caret-name'
  name.dataset.name = shownName({ id: user.id, name: nameOf(user).slice(0, 80) })
  caret.append('\u2060', name, '\u2060')
  paintCaret(caret, people)
  showCaretName(caret)
  return caret
}

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
