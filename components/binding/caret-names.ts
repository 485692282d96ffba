/**
 * Decides when the name on another person's caret is shown. The name covers the line above, so it appears only after the caret moved or
 * while the pointer is near.
 */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { Awareness } from 'y-protocols/awareness'
import { fieldsOf } from '@/lib/protocol/value-reader.ts'

const NAME_VISIBLE_MS = 2_000

/** In px. A caret alone is too thin to point at. */
const POINTER_MARGIN = 6

const hideTimers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

export function showCaretName(caret: HTMLElement): void {
  caret.dataset.named = ''
  clearTimeout(hideTimers.get(caret))
  hideTimers.set(
    caret,
    setTimeout(() => delete caret.dataset.named, NAME_VISIBLE_MS),
  )
}

/** @param personIdOf The person of a caret with that user, as in its `data-person`. */
export const caretNames = (awareness: Awareness, personIdOf: (user: object) => string): Extension =>
  Extension.create({
    name: 'caretNames',
    addProseMirrorPlugins() {
      return [new Plugin({ view: ({ dom }) => ({ destroy: watchCarets(dom, awareness, personIdOf) }) })]
    },
  })

const caretElementsIn = (text: Element): readonly HTMLElement[] => [
  ...text.querySelectorAll<HTMLElement>('.caret'),
]

/** Returns a function that stops it. */
function watchCarets(
  text: HTMLElement,
  awareness: Awareness,
  personIdOf: (user: object) => string,
): () => void {
  const cursors = new Map<number, string>()
  const onPresence = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
    for (const client of removed) cursors.delete(client)
    const moved = [...added, ...updated].filter((client) => hasMoved(cursors, client, awareness))
    const people = new Set(
      moved.map((client) => personIdOf(fieldsOf(fieldsOf(awareness.getStates().get(client)).user))),
    )
    for (const caret of caretElementsIn(text))
      if (people.has(caret.dataset.person ?? '')) showCaretName(caret)
  }
  let frame = 0
  const onPointerMove = (event: PointerEvent) => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() =>
      caretElementsIn(text).filter(isNearCaret(event)).forEach(showCaretName),
    )
  }
  awareness.on('change', onPresence)
  text.addEventListener('pointermove', onPointerMove, { passive: true })
  return () => {
    awareness.off('change', onPresence)
    text.removeEventListener('pointermove', onPointerMove)
    cancelAnimationFrame(frame)
  }
}

function hasMoved(cursors: Map<number, string>, client: number, awareness: Awareness): boolean {
  if (client === awareness.clientID) return false
  const cursor = JSON.stringify(fieldsOf(awareness.getStates().get(client)).cursor ?? null)
  if (cursors.get(client) === cursor) return false
  cursors.set(client, cursor)
  return true
}

const isNearCaret =
  ({ clientX, clientY }: PointerEvent) =>
  (caret: HTMLElement): boolean => {
    const { left, right, top, bottom } = caret.getBoundingClientRect()
    return (
      clientX > left - POINTER_MARGIN && clientX < right + POINTER_MARGIN && clientY > top && clientY < bottom
    )
  }
