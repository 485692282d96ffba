/** Asking for a state costs a few bytes, and making one may cost megabytes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { Attach } from '../../lib/protocol/channel.ts'
import type { ServerMessage } from '../../lib/protocol/message.ts'
import { memoryTransport } from '../../lib/transports/memory.ts'
import type { Net } from '../../lib/transports/net/net.ts'
import { log } from '../access/fixture.ts'
import type { Principal } from '../access/principal.ts'
import { attach, edit, hello, RawClient } from '../fixtures/raw-client.ts'
import { Counts } from '../metrics/counts.ts'
import { type House, openHouse, until, Window } from '../rooms/fixtures/house.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { createSessions } from './create-sessions.ts'
import { type ChannelPort, ServerChannel } from './server-channel.ts'
import { StateBudget, type StateTurn } from './state-budget.ts'

const MiB = 1024 * 1024

let house: House
let owner: Principal
let id: string

beforeEach(async () => {
  house = await openHouse()
  ;({ owner, id } = await house.document())
})
afterEach(() => house[Symbol.asyncDispose]())

const attaches = (count: number, first: number, change: (n: number) => Partial<Attach> = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ ...attach(id), number: first + index, ...change(index) }))

async function opened(rooms: Rooms = house.rooms) {
  const sessions = createSessions({ rooms, log })
  const net = { dispose: () => {} } as unknown as Net
  const transport = memoryTransport((end) => sessions.accept(end, owner))
  const client = await RawClient.over(transport, { origin: 'memory:', net })
  const states = (): number => client.heard.filter(({ type }) => type === 'attached').length
  return { client, states, sessions }
}

test('[S6] who attaches a thousand times in one breath is made one state, and can be made another', async () => {
  const { client, states, sessions } = await opened()
  client.say(hello, ...attaches(1_000, 1))
  await client.hears('attached')
  client.say(...attaches(1_000, 1_001))
  await until(() => states() === 2)
  client.say(edit(new Uint8Array([0, 0]), 2_001))
  await client.hears('saved')
  expect(states()).toBe(2)
  client.say(...attaches(1, 2_002))
  await until(() => states() === 3)
  await sessions.drain()
})

test('[S6] for whom a later attaching takes the place of, no state is made', async () => {
  const outcomes: Promise<boolean>[] = []
  const watched: Rooms = {
    ...house.rooms,
    join(request, member) {
      const joining = house.rooms.join(request, member)
      outcomes.push(joining.then(() => true).catch(() => false))
      return joining
    },
  }
  const { client, states, sessions } = await opened(watched)
  client.say(hello, ...attaches(100, 1, (n) => ({ token: `${n}` })))
  await until(() => states() === 1)
  const entered = (await Promise.all(outcomes)).filter(Boolean)
  expect([outcomes.length, entered.length]).toEqual([100, 1])
  await sessions.drain()
})

const port = (parts: Pick<ChannelPort, 'budget'> & Partial<ChannelPort>): ChannelPort => ({
  rooms: house.rooms,
  principal: owner,
  session: 'test',
  say: () => {},
  sayState: () => {},
  sayChange: () => true,
  sayOnce: () => {},
  takesPresence: true,
  counts: new Counts(),
  onBadInput: () => {},
  ...parts,
})

test('[S6] a large state that is asked for anew waits for its turn, as a first one does', async () => {
  const writer = await Window.open(house.rooms, id, owner)
  await writer.type('x'.repeat(2 * MiB))
  const said: ServerMessage[] = []
  const budget = new StateBudget()
  const say: ChannelPort['say'] = (make) => void said.push(make(said.length + 1))
  const channel = new ServerChannel(attach(id), port({ say, sayState: say, budget }))
  await channel.join({ stateVector: Y.encodeStateVector(writer.doc), client: writer.doc.clientID })
  await until(() => said.length === 1)
  const turn = await budget.take(64 * MiB, 'somebody else')
  const again = channel.resync(attach(id))
  await new Promise((resolve) => setImmediate(resolve))
  expect(said.length).toBe(1)
  turn.end()
  await again
  await until(() => said.length === 2)
  expect(said[1]).toMatchObject({ type: 'attached' })
  channel.leave()
  writer.room.leave()
})

/** One state fills it. */
class NarrowBudget extends StateBudget {
  override take(bytes: number, principal: string): Promise<StateTurn> {
    return super.take(bytes && 64 * MiB, principal)
  }
}

test('[S6] nobody waits for more than one of the many windows that somebody else opens at once', async () => {
  const writer = await Window.open(house.rooms, id, owner)
  await writer.type('text')
  const { principal: bob } = await house.linkedTo(id, 'editor', owner)
  const budget = new NarrowBudget()
  const told: string[] = []
  const opens = (principal: Principal): ServerChannel => {
    const sayState: ChannelPort['sayState'] = (_make, confirm) => {
      told.push(principal === bob ? 'bob' : 'owner')
      confirm()
    }
    return new ServerChannel(attach(id), port({ budget, principal, sayState }))
  }
  const channels = [opens(owner), opens(owner), opens(owner), opens(bob)]
  const turn = await budget.take(64 * MiB, 'somebody else')
  const takes = vi.spyOn(budget, 'take')
  const join = (channel: ServerChannel): Promise<void> =>
    channel.join({ stateVector: Y.encodeStateVector(new Y.Doc()), client: 0 })
  const joined: Promise<void>[] = []
  for (const channel of channels) {
    joined.push(join(channel))
    await until(() => takes.mock.calls.length === joined.length)
  }
  turn.end()
  await Promise.all(joined)
  await until(() => told.length === channels.length)
  expect(told).toEqual(['owner', 'bob', 'owner', 'owner'])
  for (const channel of channels) channel.leave()
  writer.room.leave()
})
