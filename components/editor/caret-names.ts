/** When the name on another's caret is shown: as it covers the line above, only after the caret moved, or near the pointer. */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { Awareness } from 'y-protocols/awareness'
import { recordIn } from './read-user'

const SHOWN_MS = 2_000

/** px. A caret is too thin to be pointed at. */
const NEAR = 6

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

export function showName(caret: HTMLElement): void {
  caret.dataset.named = ''
  clearTimeout(timers.get(caret))
  timers.set(
    caret,
    setTimeout(() => delete caret.dataset.named, SHOWN_MS),
  )
}

/** @param personOf Whom a caret with that user belongs to, as it stands in its `data-person`. */
export const caretNames = (awareness: Awareness, personOf: (user: object) => string): Extension =>
  Extension.create({
    name: 'caretNames',
    addProseMirrorPlugins() {
      return [new Plugin({ view: ({ dom }) => ({ destroy: watch(dom, awareness, personOf) }) })]
    },
  })

const caretsIn = (text: Element): readonly HTMLElement[] => [...text.querySelectorAll<HTMLElement>('.caret')]

/** Returns its undo. */
function watch(text: HTMLElement, awareness: Awareness, personOf: (user: object) => string): () => void {
  const cursors = new Map<number, string>()
  const onPresence = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
    for (const client of removed) cursors.delete(client)
    const moved = [...added, ...updated].filter((client) => hasMoved(cursors, client, awareness))
    const people = new Set(
      moved.map((client) => personOf(recordIn(recordIn(awareness.getStates().get(client)).user))),
    )
    for (const caret of caretsIn(text)) if (people.has(caret.dataset.person ?? '')) showName(caret)
  }
  let frame = 0
  const onPointer = (event: PointerEvent) => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => caretsIn(text).filter(isNear(event)).forEach(showName))
  }
  awareness.on('change', onPresence)
  text.addEventListener('pointermove', onPointer, { passive: true })
  return () => {
    awareness.off('change', onPresence)
    text.removeEventListener('pointermove', onPointer)
    cancelAnimationFrame(frame)
  }
}

function hasMoved(cursors: Map<number, string>, client: number, awareness: Awareness): boolean {
  if (client === awareness.clientID) return false
  const cursor = JSON.stringify(recordIn(awareness.getStates().get(client)).cursor ?? null)
  if (cursors.get(client) === cursor) return false
  cursors.set(client, cursor)
  return true
}

const isNear =
  ({ clientX, clientY }: PointerEvent) =>
  (caret: HTMLElement): boolean => {
    const { left, right, top, bottom } = caret.getBoundingClientRect()
    return clientX > left - NEAR && clientX < right + NEAR && clientY > top && clientY < bottom
  }
