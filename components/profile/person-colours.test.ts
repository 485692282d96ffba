import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import {
  defaultColourOf,
  assignColours,
  coloursOfOtherPeople,
  ownColour,
  broadcastColour,
} from './person-colours.ts'

const COLOUR_COUNT = 8

const presenceOf = (id: string, color?: string) => ({ user: { id, name: id, ...(color && { color }) } })

/** Ids that lead to the same colour. */
function idsWithSameColour(count: number): string[] {
  const first = defaultColourOf('p0')
  const found: string[] = []
  for (let at = 0; found.length < count; at++) if (defaultColourOf(`p${at}`) === first) found.push(`p${at}`)
  return found
}

const statesOf = (...windows: object[]) =>
  new Map<number, unknown>(windows.map((window, at) => [at + 1, window]))

test('[W6] no two people have the same colour, as long as there are enough of them', () => {
  for (let count = 1; count <= COLOUR_COUNT; count++) {
    const colours = assignColours(statesOf(...idsWithSameColour(count).map((id) => presenceOf(id))))
    expect(new Set(colours.values()).size).toBe(count)
  }
})

test('everybody has a colour, even with more people than colours', () => {
  const people = idsWithSameColour(COLOUR_COUNT + 3)
  const colours = assignColours(statesOf(...people.map((id) => presenceOf(id))))
  expect(colours.size).toBe(people.length)
  expect(new Set(colours.values()).size).toBe(COLOUR_COUNT)
})

test('[W6] a person who joins later takes no colour from somebody who published it before', () => {
  const [early, late] = idsWithSameColour(2).toReversed() as [string, string]
  const own = assignColours(statesOf(presenceOf(early))).get(early)
  const both = assignColours(statesOf(presenceOf(early, own), presenceOf(late)))
  expect(both.get(early)).toBe(own)
  expect(both.get(late)).not.toBe(own)
})

test('all windows of one person have one colour, and a colour outside the palette counts as none', () => {
  const [person, other] = idsWithSameColour(2) as [string, string]
  const colours = assignColours(
    statesOf(presenceOf(person, '#ffffff'), presenceOf(other, 'red'), presenceOf(person)),
  )
  expect([...colours.keys()]).toEqual([person, other])
  expect(colours.get(person)).toBe(defaultColourOf(person))
  expect(colours.get(other)).not.toBe(defaultColourOf(other))
})

test.each([[null], [{}], [{ user: 7 }], [{ user: { id: 3, color: {} } }]])(
  'a window that publishes %j has a colour',
  (state) => {
    expect([...assignColours(new Map([[4, state]]))]).toEqual([['window:4', defaultColourOf('window:4')]])
  },
)

/** Windows that publish to each other, in whatever order the messages arrive. */
class SimulatedPresence {
  readonly windows: Awareness[] = []
  readonly #inFlight: { readonly to: Awareness; readonly update: Uint8Array }[] = []

  join(id: string, chosen: string | null = null, onShown?: (colour: string) => void): Awareness {
    const window = new Awareness(new Y.Doc())
    clearInterval(window._checkInterval)
    window.on('update', (_change: unknown, origin: unknown) => {
      if (origin === 'local') this.#broadcast(window)
    })
    this.windows.push(window)
    window.setLocalState({ user: { id, name: id } })
    broadcastColour(window, Promise.resolve(), chosen, onShown)
    return window
  }

  /** A synced window knows who is here before it publishes anything. */
  async joinSynced(id: string, chosen: string | null = null): Promise<Awareness> {
    const window = this.join(id, chosen)
    for (const other of this.windows)
      if (other !== window)
        applyAwarenessUpdate(window, encodeAwarenessUpdate(other, [other.clientID]), 'room')
    await this.deliverAll(() => 0)
    return window
  }

  #broadcast(window: Awareness): void {
    const update = encodeAwarenessUpdate(window, [window.clientID])
    for (const to of this.windows) if (to !== window) this.#inFlight.push({ to, update })
  }

  /** @param pick Chooses which of the pending messages arrives next. */
  async deliverAll(pick: (count: number) => number): Promise<void> {
    await Promise.resolve()
    while (this.#inFlight.length > 0) {
      const [message] = this.#inFlight.splice(pick(this.#inFlight.length), 1)
      if (message) applyAwarenessUpdate(message.to, message.update, 'room')
    }
  }

  assignedColours(): Set<string>[] {
    return this.windows.map((window) => new Set(assignColours(window.getStates()).values()))
  }
}

test('[W6] windows that choose at the same moment get different colours, whatever arrives first', async () => {
  const people = fc.shuffledSubarray(idsWithSameColour(COLOUR_COUNT), { minLength: 2 })
  await fc.assert(
    fc.asyncProperty(people, fc.infiniteStream(fc.nat(1_000)), async (ids, numbers) => {
      const room = new SimulatedPresence()
      for (const id of ids) room.join(id)
      await room.deliverAll((count) => (numbers.next().value as number) % count)
      const own = room.windows.map((window) => (window.getLocalState()!.user as { color: string }).color)
      expect(new Set(own).size).toBe(ids.length)
      for (const colours of room.assignedColours()) expect(colours).toEqual(new Set(own))
    }),
    { numRuns: 60 },
  )
})

const presenceColourOf = (window: Awareness) => (window.getLocalState()!.user as { color: string }).color

test('[W6] a person is shown in the colour they have chosen, unless somebody who is here already has it', async () => {
  const [first, second, third] = idsWithSameColour(3) as [string, string, string]
  const other = palette.teal === defaultColourOf(first) ? palette.red : palette.teal
  const room = new SimulatedPresence()
  const [early, late, free] = [
    await room.joinSynced(third, other),
    await room.joinSynced(first, other),
    await room.joinSynced(second, palette.pink),
  ]
  expect([presenceColourOf(early), presenceColourOf(free)]).toEqual([other, palette.pink])
  expect(presenceColourOf(late)).toBe(defaultColourOf(first))
  expect(coloursOfOtherPeople(late)).toEqual(new Set([other, palette.pink]))
  expect(ownColour(late)).toBe(defaultColourOf(first))
})

test('[W6] a person who comes back has the colour that they had here before, whoever comes back first', async () => {
  const [first, second] = idsWithSameColour(2) as [string, string]
  const before = new SimulatedPresence()
  const remembered: string[] = []
  before.join(first)
  before.join(second, null, (colour) => remembered.push(colour))
  await before.deliverAll(() => 0)
  const former = before.windows.map(presenceColourOf)
  expect(remembered.at(-1)).toBe(former[1])
  const after = new SimulatedPresence()
  const returned = after.join(second, remembered.at(-1))
  await after.deliverAll(() => 0)
  const other = await after.joinSynced(first)
  expect([other, returned].map(presenceColourOf)).toEqual(former)
})
