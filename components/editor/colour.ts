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
import { readUser } from './read-user.ts'

const colours: readonly string[] = Object.values(palette)

/** Whom a person's id leads to: what they begin with, and have where they are not here. */
export const colourOf = (person: string): string => colours[indexOf(person)]!

function indexOf(person: string): number {
  // FNV-1a, 32 bits: its lowest bits mix too little to choose by.
  let hash = 0x811c9dc5
  for (let index = 0; index < person.length; index++) {
    hash = Math.imul(hash ^ person.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 16) % colours.length
}

/** By person, what everybody here is shown in. Believes nothing of what others tell: only these colours count. */
export function coloursOf(states: ReadonlyMap<number, unknown>): ReadonlyMap<string, string> {
  const told = [...toldColours(states)].sort(([a], [b]) => (a < b ? -1 : 1))
  const given = new Map<string, string>()
  const free = new Set(colours)
  const give = (person: string, colour: string): void => {
    given.set(person, colour)
    free.delete(colour)
  }
  for (const [person, colour] of told) if (colour !== null && free.has(colour)) give(person, colour)
  for (const [person] of told) if (!given.has(person)) give(person, firstFree(person, free))
  return given
}

/** Null where a person tells none of ours. Of several windows of a person the one with the least client id counts. */
function toldColours(states: ReadonlyMap<number, unknown>): Map<string, string | null> {
  const told = new Map<string, string | null>()
  for (const [client, state] of [...states].sort(([a], [b]) => a - b)) {
    const { key, colour } = readUser(state, client)
    told.set(key, told.get(key) ?? (colour !== null && colours.includes(colour) ? colour : null))
  }
  return told
}

function firstFree(person: string, free: ReadonlySet<string>): string {
  const first = indexOf(person)
  const inTurn = colours.map((_colour, at) => colours[(first + at) % colours.length]!)
  return inTurn.find((colour) => free.has(colour)) ?? colourOf(person)
}

/**
 * Tells the others, from when this window knows of them, the colour of its person. Returns its undo.
 * @param whenSynced Before it a window does not know who is here, and would take somebody's colour.
 * @param chosen The one that the person likes best; null where they have chosen none.
 */
export function tellColour(
  awareness: Awareness,
  whenSynced: Promise<unknown>,
  chosen: string | null = null,
): () => void {
  let isOver = false
  const tell = (): void => tellOwn(awareness, coloursOf(awareness.getStates()).get(ownKey(awareness)))
  const begin = (): void => {
    if (isOver) return
    if (chosen !== null && !coloursOfOthers(awareness).has(chosen)) tellOwn(awareness, chosen)
    awareness.on('change', tell)
    tell()
  }
  // Where it cannot be had, there is nobody to tell.
  void whenSynced.then(begin, () => {})
  return () => {
    isOver = true
    awareness.off('change', tell)
  }
}

const ownKey = (awareness: Awareness): string => readUser(awareness.getLocalState(), awareness.clientID).key

function tellOwn(awareness: Awareness, color: string | undefined): void {
  const user = awareness.getLocalState()?.user as { readonly color?: unknown } | undefined
  if (user && color !== undefined && user.color !== color)
    awareness.setLocalStateField('user', { ...user, color })
}

/** The colours in which the other people here are shown. */
export function coloursOfOthers(awareness: Awareness): ReadonlySet<string> {
  const own = ownKey(awareness)
  const others = [...coloursOf(awareness.getStates())].filter(([person]) => person !== own)
  return new Set(others.map(([, colour]) => colour))
}

/** The colour of this window's own person, once the window has told it. */
export const ownColour = (awareness: Awareness): string | undefined =>
  coloursOf(awareness.getStates()).get(ownKey(awareness))
