/**
 * Which person is shown in which colour. Everybody works it out alone from what the windows tell in presence, and nobody coordinates:
 *
 * 1. Each window tells the colour that its person has (`user.color`), so that it stays theirs while others come and go.
 * 2. Of two people who tell the same one, as when they came at the same moment, the one with the lesser id keeps it.
 * 3. Who has none by that, or tells one that is not among ours, takes the first free one, beginning with that of their id.
 * 4. Who has chosen a colour (`palette`) tells that one, unless somebody who is here already is shown in it.
 *
 * Every window that knows the same windows comes to the same answer, and telling that answer does not change it. So two windows that
 * choose at the same time settle it with one message. Where more people are here than there are colours, some have the same.
 */
import type { Awareness } from 'y-protocols/awareness'
import { palette } from '@/lib/protocol/palette.ts'
import { readPresenceUser } from './read-presence-user.ts'

const paletteColours: readonly string[] = Object.values(palette)

/** Whom a person's id leads to: what they begin with, and have where they are not here. */
export const defaultColourOf = (person: string): string => paletteColours[paletteIndexOf(person)]!

function paletteIndexOf(person: string): number {
  // FNV-1a, 32 bits: its lowest bits mix too little to choose by.
  let hash = 0x811c9dc5
  for (let index = 0; index < person.length; index++) {
    hash = Math.imul(hash ^ person.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 16) % paletteColours.length
}

/** By person, what everybody here is shown in. Believes nothing of what others tell: only these colours count. */
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

/** Null where a person tells none of ours. Of several windows of a person the one with the least client id counts. */
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
 * Tells the others, from when this window knows of them, the colour of its person. Returns its undo.
 * @param whenSynced Before it a window does not know who is here, and would take somebody's colour.
 * @param chosen The one that the person likes best; null where they have chosen none.
 */
export function broadcastColour(
  awareness: Awareness,
  whenSynced: Promise<unknown>,
  chosen: string | null = null,
): () => void {
  let isStopped = false
  const update = (): void =>
    setOwnColour(awareness, assignColours(awareness.getStates()).get(ownPersonId(awareness)))
  const start = (): void => {
    if (isStopped) return
    if (chosen !== null && !coloursOfOtherPeople(awareness).has(chosen)) setOwnColour(awareness, chosen)
    awareness.on('change', update)
    update()
  }
  // Where it cannot be had, there is nobody to tell.
  void whenSynced.then(start, () => {})
  return () => {
    isStopped = true
    awareness.off('change', update)
  }
}

const ownPersonId = (awareness: Awareness): string =>
  readPresenceUser(awareness.getLocalState(), awareness.clientID).personId

function setOwnColour(awareness: Awareness, color: string | undefined): void {
  const user = awareness.getLocalState()?.user as { readonly color?: unknown } | undefined
  if (user && color !== undefined && user.color !== color)
    awareness.setLocalStateField('user', { ...user, color })
}

/** The colours in which the other people here are shown. */
export function coloursOfOtherPeople(awareness: Awareness): ReadonlySet<string> {
  const ownId = ownPersonId(awareness)
  const others = [...assignColours(awareness.getStates())].filter(([person]) => person !== ownId)
  return new Set(others.map(([, colour]) => colour))
}

/** The colour of this window's own person, once the window has told it. */
export const ownColour = (awareness: Awareness): string | undefined =>
  assignColours(awareness.getStates()).get(ownPersonId(awareness))
