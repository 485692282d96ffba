import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClientReservations } from './client-reservations.ts'
import type { ReservationsMessage } from './room-messages.ts'

const ada = { principal: 'user:ada', window: undefined, hasMore: false }
const byLink = { principal: 'link:x', hasMore: false }

/** Two nodes: what one publishes reaches the other in the order that the test says. */
function createPair() {
  const messages: ReservationsMessage[] = []
  const [own, other] = [
    new ClientReservations((message) => void messages.push(message)),
    new ClientReservations(() => {}),
  ]
  const deliver = (order: readonly ReservationsMessage[] = messages.splice(0)): void => {
    for (const message of order) other.receive('a', message)
  }
  return { own, other, messages, deliver }
}

describe('[A5] the client ids that windows of other nodes have announced', () => {
  test('are found until the last window that announced one has left', () => {
    const { own, other, deliver } = createPair()
    own.reserve({ client: 7, ...ada })
    own.reserve({ client: 7, ...ada })
    own.release(7)
    deliver()
    expect(other.find(7, ada)).toEqual({ client: 7, ...ada })
    expect(other.find(8, ada)).toBeUndefined()
    own.release(7)
    own.release(8)
    deliver()
    expect(other.find(7, ada)).toBeUndefined()
  })

  test('are told whole to whoever asks, however many they are: what was missed, and what is gone', () => {
    const { own, other, messages, deliver } = createPair()
    own.reserve({ client: 1_000, ...ada })
    deliver()
    own.release(1_000)
    for (let client = 0; client < 200; client++) own.reserve({ client, ...ada })
    messages.length = 0
    own.answer()
    expect(messages.length).toBeGreaterThan(2)
    deliver()
    expect(other.find(1_000, ada)).toBeUndefined()
    for (let client = 0; client < 200; client++) expect(other.find(client, ada)).toBeDefined()
    own.close()
    deliver()
    expect(other.find(7, ada)).toBeUndefined()
  })

  test('are the same in whatever order the messages come, and however often', () => {
    const step = fc.tuple(fc.constantFrom('reserve', 'release', 'answer'), fc.integer({ min: 1, max: 4 }))
    const property = fc.property(fc.array(step), fc.infiniteStream(fc.nat()), (steps, chance) => {
      const { own, other, messages, deliver } = createPair()
      const reserved = new Map<number, number>()
      for (const [what, client] of steps) {
        const windows = reserved.get(client) ?? 0
        if (what === 'answer') own.answer()
        else if (what === 'reserve') {
          own.reserve({ client, ...ada })
          reserved.set(client, windows + 1)
        } else if (windows > 0) {
          own.release(client)
          reserved.set(client, windows - 1)
        }
      }
      const twice = [...messages, ...messages].map((message) => [chance.next().value!, message] as const)
      deliver(twice.toSorted(([x], [y]) => x - y).map(([, message]) => message))
      for (let client = 1; client <= 4; client++)
        expect(other.find(client, ada) !== undefined).toBe((reserved.get(client) ?? 0) > 0)
    })
    fc.assert(property)
  })

  test('of a window that is at two nodes are its own at both, whatever a third one says', () => {
    const { own, other, deliver } = createPair()
    own.reserve({ client: 7, ...byLink, window: 'one' })
    deliver()
    for (const [node, window] of [
      ['b', 'other'],
      ['c', 'one'],
    ] as const) {
      // prettier-ignore
      const reserved = [{ client: 7, ...byLink, window }]
      other.receive(node, { type: 'reservations', version: 1, isWhole: false, reserved, released: [] })
    }
    expect(other.find(7, { ...byLink, window: 'one' })?.window).toBe('one')
    expect(other.find(7, { ...byLink, window: 'other' })?.window).toBe('other')
    for (const node of ['a', 'c']) other.removeNode(node)
    expect(other.find(7, { ...byLink, window: 'one' })?.window).toBe('other')
  })
})
