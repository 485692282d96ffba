/** How each person who is here is named and coloured. Read for every caret at every change of the text: worked out once for each change of presence. */
import type { Awareness } from 'y-protocols/awareness'
import { colourOf, coloursOf } from './colour.ts'
import { readUser } from './read-user.ts'

export interface ShownPerson {
  /** As it is shown: marked where it is the person's own word. */
  readonly name: string
  readonly colour: string
}

export interface PresentPeople {
  /** By id, those who are here: the same map until one of them looks otherwise. */
  get(this: void): ReadonlyMap<string, ShownPerson>
  /** Returns its undo. */
  subscribe(this: void, listener: () => void): () => void
}

const known = new WeakMap<Awareness, PresentPeople>()

export function presentPeople(awareness: Awareness): PresentPeople {
  const before = known.get(awareness)
  if (before) return before
  const people = watchPeople(awareness)
  known.set(awareness, people)
  return people
}

/** The colour of a person. Somebody who is not here has the one that follows from their id. */
export const shownColour = ({ get }: PresentPeople, person: string): string =>
  get().get(person)?.colour ?? colourOf(person)

function watchPeople(awareness: Awareness): PresentPeople {
  let people: ReadonlyMap<string, ShownPerson> = new Map()
  let isCurrent = false
  const listeners = new Set<() => void>()
  // Lives as long as its document.
  awareness.on('change', () => {
    isCurrent = false
    for (const listener of listeners) listener()
  })
  return {
    get() {
      if (isCurrent) return people
      isCurrent = true
      const now = peopleIn(awareness.getStates())
      return isSame(people, now) ? people : (people = now)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function peopleIn(states: ReadonlyMap<number, unknown>): ReadonlyMap<string, ShownPerson> {
  const colours = coloursOf(states)
  const people = new Map<string, ShownPerson>()
  for (const [client, state] of states) {
    const { key, name } = readUser(state, client)
    if (!people.has(key)) people.set(key, { name, colour: colours.get(key) ?? colourOf(key) })
  }
  return people
}

function isSame(a: ReadonlyMap<string, ShownPerson>, b: ReadonlyMap<string, ShownPerson>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([id, { name, colour }]) => b.get(id)?.name === name && b.get(id)?.colour === colour)
  )
}
