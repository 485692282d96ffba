/**
 * Decides which person is shown in which colour. Every window computes this alone from what the windows publish in presence; nothing
 * coordinates them:
 *
 * 1. Each window publishes the colour of its person (`user.color`), so that it stays theirs while others join and leave.
 * 2. If two people publish the same colour, for example when they joined at the same moment, the one with the lesser id keeps it.
 * 3. A person without a colour after that, or with one that is not in our palette, gets the first free one, starting with that of their id.
 * 4. A person who has chosen a colour (`palette`) publishes that one, unless somebody who is here already is shown in it. Who has chosen
 *    none and comes back publishes in the same way the one that they had here before.
 *
 * All windows that know the same windows compute the same answer, and publishing it does not change it. So two windows that choose at the
 * same time settle it with one message. If there are more people than colours, some share one.
 */
import type { Awareness } from 'y-protocols/awareness'
import { palette } from '@/lib/protocol/palette.ts'
import { readPresenceUser } from './read-presence-user.ts'

const paletteColours: readonly string[] = Object.values(palette)

/** The colour that a person's id leads to: their first one, and the one shown while they are not here. */
export const defaultColourOf = (person: string): string => paletteColours[paletteIndexOf(person)]!

function paletteIndexOf(person: string): number {
  // FNV-1a, 32 bits. Its lowest bits mix too little to choose by them.
  let hash = 0x811c9dc5
  for (let index = 0; index < person.length; index++) {
    hash = Math.imul(hash ^ person.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 16) % paletteColours.length
}

/** The colour of everybody who is here, by person. The presence is untrusted: only colours of our palette count. */
export function assignColours(states: ReadonlyMap<number, unknown>): ReadonlyMap<string, string> {
  const preferences = [...presenceColours(states)].sort(([a], [b]) => (a < b ? -1 : 1))
  const assigned = new Map<string, string>()
  const freeColours = new Set(paletteColours)
  const assign = (person: string, colour: string): void => {
    assigned.set(person, colour)
    freeColours.delete(colour)
  }
  for (const [person, colour] of preferences)
    if (colour !== null && freeColours.has(colour)) assign(person, colour)
  for (const [person] of preferences)
    if (!assigned.has(person)) assign(person, firstFreeColour(person, freeColours))
  return assigned
}

/** Null for a person who publishes no colour of ours. Of several windows of a person, the one with the least client id counts. */
function presenceColours(states: ReadonlyMap<number, unknown>): Map<string, string | null> {
  const colourByPerson = new Map<string, string | null>()
  for (const [client, state] of [...states].sort(([a], [b]) => a - b)) {
    const { personId, colour } = readPresenceUser(state, client)
    colourByPerson.set(
      personId,
      colourByPerson.get(personId) ?? (colour !== null && paletteColours.includes(colour) ? colour : null),
    )
  }
  return colourByPerson
}

function firstFreeColour(person: string, freeColours: ReadonlySet<string>): string {
  const first = paletteIndexOf(person)
  const candidates = paletteColours.map(
    (_colour, at) => paletteColours[(first + at) % paletteColours.length]!,
  )
  return candidates.find((colour) => freeColours.has(colour)) ?? defaultColourOf(person)
}

/**
 * Publishes the colour of this window's person, once the window knows who else is here. Returns a function that stops it.
 * @param whenSynced Before it, a window does not know who is here and would take somebody's colour.
 * @param preferred The colour that the person has chosen, or had here before; null if none.
 * @param onShown Called with each colour in which they are shown.
 */
export function broadcastColour(
  awareness: Awareness,
  whenSynced: Promise<unknown>,
  preferred: string | null = null,
  onShown: (colour: string) => void = () => {},
): () => void {
  let isStopped = false
  const show = (colour: string | undefined): void => {
    if (setOwnColour(awareness, colour)) onShown(colour)
  }
  const update = (): void => show(ownColour(awareness))
  const start = (): void => {
    if (isStopped) return
    if (preferred !== null && !coloursOfOtherPeople(awareness).has(preferred)) show(preferred)
    awareness.on('change', update)
    update()
  }
  // If the document cannot be opened, there is nobody to publish to.
  void whenSynced.then(start, () => {})
  return () => {
    isStopped = true
    awareness.off('change', update)
  }
}

const ownPersonId = (awareness: Awareness): string =>
  readPresenceUser(awareness.getLocalState(), awareness.clientID).personId

/** Returns whether it is another one than before. */
function setOwnColour(awareness: Awareness, color: string | undefined): color is string {
  const user = awareness.getLocalState()?.user as { readonly color?: unknown } | undefined
  if (!user || color === undefined || user.color === color) return false
  awareness.setLocalStateField('user', { ...user, color })
  return true
}

/** The colours in which the other people here are shown. */
export function coloursOfOtherPeople(awareness: Awareness): ReadonlySet<string> {
  const ownId = ownPersonId(awareness)
  const otherPeople = [...assignColours(awareness.getStates())].filter(([person]) => person !== ownId)
  return new Set(otherPeople.map(([, colour]) => colour))
}

/** The colour of this window's own person, once the window has published it. */
export const ownColour = (awareness: Awareness): string | undefined =>
  assignColours(awareness.getStates()).get(ownPersonId(awareness))
