import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import { colourOf, coloursOf, coloursOfOthers, ownColour, tellColour } from './colour.ts'

const COUNT = 8

const windowOf = (id: string, color?: string) => ({ user: { id, name: id, ...(color && { color }) } })

/** Ids that lead to one and the same colour. */
function alike(count: number): string[] {
  const first = colourOf('p0')
  const found: string[] = []
  for (let at = 0; found.length < count; at++) if (colourOf(`p${at}`) === first) found.push(`p${at}`)
  return found
}

const statesOf = (...windows: object[]) =>
  new Map<number, unknown>(windows.map((window, at) => [at + 1, window]))

test('[W6] no two people have the same colour, as long as there are enough of them', () => {
  for (let count = 1; count <= COUNT; count++) {
    const colours = coloursOf(statesOf(...alike(count).map((id) => windowOf(id))))
    expect(new Set(colours.values()).size).toBe(count)
  }
})

test('where there are more people than colours everybody has one all the same', () => {
  const people = alike(COUNT + 3)
  const colours = coloursOf(statesOf(...people.map((id) => windowOf(id))))
  expect(colours.size).toBe(people.length)
  expect(new Set(colours.values()).size).toBe(COUNT)
})

test('[W6] who comes later takes no colour from whom it was told before', () => {
  const [early, late] = alike(2).toReversed() as [string, string]
  const own = coloursOf(statesOf(windowOf(early))).get(early)
  const both = coloursOf(statesOf(windowOf(early, own), windowOf(late)))
  expect(both.get(early)).toBe(own)
  expect(both.get(late)).not.toBe(own)
})

test('windows of one person have one colour, and one that is not ours counts as none', () => {
  const [person, other] = alike(2) as [string, string]
  const colours = coloursOf(statesOf(windowOf(person, '#ffffff'), windowOf(other, 'red'), windowOf(person)))
  expect([...colours.keys()]).toEqual([person, other])
  expect(colours.get(person)).toBe(colourOf(person))
  expect(colours.get(other)).not.toBe(colourOf(other))
})

test.each([[null], [{}], [{ user: 7 }], [{ user: { id: 3, color: {} } }]])(
  'a window that says %j has a colour',
  (state) => {
    expect([...coloursOf(new Map([[4, state]]))]).toEqual([['window:4', colourOf('window:4')]])
  },
)

/** Windows that tell each other what they say, in whatever order it arrives. */
class Room {
  readonly windows: Awareness[] = []
  readonly #underway: { readonly to: Awareness; readonly update: Uint8Array }[] = []

  enter(id: string, chosen: string | null = null): Awareness {
    const window = new Awareness(new Y.Doc())
    clearInterval(window._checkInterval)
    window.on('update', (_change: unknown, origin: unknown) => {
      if (origin === 'local') this.#tell(window)
    })
    this.windows.push(window)
    window.setLocalState({ user: { id, name: id } })
    tellColour(window, Promise.resolve(), chosen)
    return window
  }

  /** Once synced, a window knows who is here before it tells anything. */
  async enterKnowing(id: string, chosen: string): Promise<Awareness> {
    const window = this.enter(id, chosen)
    for (const other of this.windows)
      if (other !== window)
        applyAwarenessUpdate(window, encodeAwarenessUpdate(other, [other.clientID]), 'room')
    await this.settle(() => 0)
    return window
  }

  #tell(window: Awareness): void {
    const update = encodeAwarenessUpdate(window, [window.clientID])
    for (const to of this.windows) if (to !== window) this.#underway.push({ to, update })
  }

  /** @param pick Which of so many messages arrives next. */
  async settle(pick: (count: number) => number): Promise<void> {
    await Promise.resolve()
    while (this.#underway.length > 0) {
      const [message] = this.#underway.splice(pick(this.#underway.length), 1)
      if (message) applyAwarenessUpdate(message.to, message.update, 'room')
    }
  }

  colours(): Set<string>[] {
    return this.windows.map((window) => new Set(coloursOf(window.getStates()).values()))
  }
}

test('[W6] windows that choose at the same moment come to different colours, whatever arrives first', async () => {
  const people = fc.shuffledSubarray(alike(COUNT), { minLength: 2 })
  await fc.assert(
    fc.asyncProperty(people, fc.infiniteStream(fc.nat(1_000)), async (ids, numbers) => {
      const room = new Room()
      for (const id of ids) room.enter(id)
      await room.settle((count) => (numbers.next().value as number) % count)
      const own = room.windows.map((window) => (window.getLocalState()!.user as { color: string }).color)
      expect(new Set(own).size).toBe(ids.length)
      for (const colours of room.colours()) expect(colours).toEqual(new Set(own))
    }),
    { numRuns: 60 },
  )
})

const toldBy = (window: Awareness) => (window.getLocalState()!.user as { color: string }).color

test('[W6] who has chosen a colour is shown in it, unless somebody who is here already has it', async () => {
  const [first, second, third] = alike(3) as [string, string, string]
  const other = palette.teal === colourOf(first) ? palette.red : palette.teal
  const room = new Room()
  const [early, late, free] = [
    await room.enterKnowing(third, other),
    await room.enterKnowing(first, other),
    await room.enterKnowing(second, palette.pink),
  ]
  expect([toldBy(early), toldBy(free)]).toEqual([other, palette.pink])
  expect(toldBy(late)).toBe(colourOf(first))
  expect(coloursOfOthers(late)).toEqual(new Set([other, palette.pink]))
  expect(ownColour(late)).toBe(colourOf(first))
})
