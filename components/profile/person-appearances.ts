/**
 * The name and colour of each person who is here. Every caret reads them at every change of the text, so they are computed once per change
 * of presence.
 */
import type { Awareness } from 'y-protocols/awareness'
import { Subscribable } from '@/lib/subscribable.ts'
import { defaultColourOf, assignColours } from './person-colours.ts'
import { readPresenceUser } from './read-presence-user.ts'

export interface PersonAppearance {
  /** The name as shown, with a mark if the person chose it themself. */
  readonly name: string
  readonly colour: string
}

export interface PersonAppearances {
  /** The people who are here, by id: the same map until one of them looks different. */
  get(this: void): ReadonlyMap<string, PersonAppearance>
  /** Returns a function that unsubscribes. */
  subscribe(this: void, listener: () => void): () => void
}

const cachedAppearances = new WeakMap<Awareness, PersonAppearances>()

export function personAppearancesOf(awareness: Awareness): PersonAppearances {
  const cached = cachedAppearances.get(awareness)
  if (cached) return cached
  const people = createAppearances(awareness)
  cachedAppearances.set(awareness, people)
  return people
}

/** The colour of a person. For somebody who is not here, it follows from their id. */
export const colourOfPerson = ({ get }: PersonAppearances, person: string): string =>
  get().get(person)?.colour ?? defaultColourOf(person)

function createAppearances(awareness: Awareness): PersonAppearances {
  let people: ReadonlyMap<string, PersonAppearance> = new Map()
  let isCurrent = false
  const listeners = new Subscribable()
  // The listener lives as long as its document.
  awareness.on('change', () => {
    isCurrent = false
    listeners.notify()
  })
  return {
    get() {
      if (isCurrent) return people
      isCurrent = true
      const now = readAppearances(awareness.getStates())
      return isSameAppearances(people, now) ? people : (people = now)
    },
    subscribe: listeners.subscribe,
  }
}

function readAppearances(states: ReadonlyMap<number, unknown>): ReadonlyMap<string, PersonAppearance> {
  const colours = assignColours(states)
  const people = new Map<string, PersonAppearance>()
  for (const [client, state] of states) {
    const { personId, name } = readPresenceUser(state, client)
    if (!people.has(personId))
      people.set(personId, { name, colour: colours.get(personId) ?? defaultColourOf(personId) })
  }
  return people
}

function isSameAppearances(
  a: ReadonlyMap<string, PersonAppearance>,
  b: ReadonlyMap<string, PersonAppearance>,
): boolean {
  return (
    a.size === b.size &&
    [...a].every(([id, { name, colour }]) => b.get(id)?.name === name && b.get(id)?.colour === colour)
  )
}
