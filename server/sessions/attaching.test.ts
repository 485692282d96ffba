/** A request for a state costs a few bytes, and the state may cost megabytes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { AttachMessage } from '../../lib/protocol/channel-messages.ts'
import type { ServerMessage } from '../../lib/protocol/message.ts'
import { createMemoryTransport } from '../../lib/transports/memory.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Principal } from '../access/principal.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import { Meter } from '../metering/meter.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { type RoomsFixture, openRoomsFixture, RoomWindow } from '../rooms/fixtures/rooms-fixture.ts'
import { waitUntil, settle } from '../../lib/fixtures/wait.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { createSessions } from './create-sessions.ts'
import { type ChannelContext, ServerChannel } from './server-channel.ts'
import { StateBudget, type StatePermit } from './state-budget.ts'

const MiB = 1024 * 1024

let fixture: RoomsFixture
let owner: Principal
let id: string

beforeEach(async () => {
  fixture = await openRoomsFixture()
  ;({ owner, id } = await fixture.document())
})
afterEach(() => fixture[Symbol.asyncDispose]())

const attachMessages = (
  count: number,
  first: number,
  change: (n: number) => Partial<AttachMessage> = () => ({}),
) =>
  Array.from({ length: count }, (_, index) => ({
    ...createAttachMessage(id),
    number: first + index,
    ...change(index),
  }))

async function openClient(rooms: Rooms = fixture.rooms) {
  const sessions = createSessions({ rooms, log: silentLogger })
  const net = { dispose: () => {} } as unknown as NetworkPlatform
  const transport = createMemoryTransport((end) => sessions.accept(end, owner))
  const client = await RawClient.openOver(transport, { origin: 'memory:', net })
  const states = (): number => client.received.filter(({ type }) => type === 'attached').length
  return { client, states, sessions }
}

test('[S6] a channel that attaches a thousand times at once gets one state, and can get another later', async () => {
  const { client, states, sessions } = await openClient()
  client.send(helloMessage, ...attachMessages(1_000, 1))
  await client.waitForMessage('attached')
  client.send(...attachMessages(1_000, 1_001))
  await waitUntil(() => states() === 2)
  client.send(createEditMessage(new Uint8Array([0, 0]), 2_001))
  await client.waitForMessage('saved')
  expect(states()).toBe(2)
  client.send(...attachMessages(1, 2_002))
  await waitUntil(() => states() === 3)
  await sessions.drain()
})

test('[S6] no state is encoded for an attach that a later one replaces', async () => {
  const outcomes: Promise<boolean>[] = []
  const watched: Rooms = {
    ...fixture.rooms,
    join(request, member) {
      const joining = fixture.rooms.join(request, member)
      outcomes.push(joining.then(() => true).catch(() => false))
      return joining
    },
  }
  const { client, states, sessions } = await openClient(watched)
  client.send(helloMessage, ...attachMessages(100, 1, (n) => ({ token: `${n}` })))
  await waitUntil(() => states() === 1)
  const entered = (await Promise.all(outcomes)).filter(Boolean)
  expect([outcomes.length, entered.length]).toEqual([1, 1])
  await sessions.drain()
})

const context = (parts: Pick<ChannelContext, 'budget'> & Partial<ChannelContext>): ChannelContext => ({
  rooms: fixture.rooms,
  principal: owner,
  session: 'test',
  send: () => {},
  sendState: () => {},
  sendChange: () => true,
  sendUnnumbered: () => {},
  acceptsPresence: true,
  meter: new Meter(),
  counts: new ServerCounts(),
  onBadInput: () => {},
  ...parts,
})

test('[S6] a large state that is requested again waits for its turn, as a first one does', async () => {
  const writer = await RoomWindow.open(fixture.rooms, id, owner)
  await writer.type('x'.repeat(2 * MiB))
  const sent: ServerMessage[] = []
  const budget = new StateBudget()
  const send: ChannelContext['send'] = (make) => void sent.push(make(sent.length + 1))
  const channel = new ServerChannel(createAttachMessage(id), context({ send, sendState: send, budget }))
  await channel.join({ stateVector: Y.encodeStateVector(writer.doc), client: writer.doc.clientID })
  await waitUntil(() => sent.length === 1)
  const permit = await budget.acquire(64 * MiB, 'somebody else')
  const again = channel.resync(createAttachMessage(id))
  await settle()
  expect(sent.length).toBe(1)
  permit.release()
  await again
  await waitUntil(() => sent.length === 2)
  expect(sent[1]).toMatchObject({ type: 'attached' })
  channel.leave()
  writer.membership.leave()
})

/** One state fills the budget. */
class NarrowBudget extends StateBudget {
  override acquire(bytes: number, principal: string): Promise<StatePermit> {
    return super.acquire(bytes && 64 * MiB, principal)
  }
}

test('[S6] a principal that opens many windows at once delays others by one state at most', async () => {
  const writer = await RoomWindow.open(fixture.rooms, id, owner)
  await writer.type('text')
  const { principal: bob } = await fixture.linkPrincipalTo(id, 'editor', owner)
  const budget = new NarrowBudget()
  const sentTo: string[] = []
  const openChannel = (principal: Principal): ServerChannel => {
    const sendState: ChannelContext['sendState'] = (_make, confirm) => {
      sentTo.push(principal === bob ? 'bob' : 'owner')
      confirm()
    }
    return new ServerChannel(createAttachMessage(id), context({ budget, principal, sendState }))
  }
  const channels = [openChannel(owner), openChannel(owner), openChannel(owner), openChannel(bob)]
  const permit = await budget.acquire(64 * MiB, 'somebody else')
  const acquisitions = vi.spyOn(budget, 'acquire')
  const join = (channel: ServerChannel): Promise<void> =>
    channel.join({ stateVector: Y.encodeStateVector(new Y.Doc()), client: 0 })
  const joined: Promise<void>[] = []
  for (const channel of channels) {
    joined.push(join(channel))
    await waitUntil(() => acquisitions.mock.calls.length === joined.length)
  }
  permit.release()
  await Promise.all(joined)
  await waitUntil(() => sentTo.length === channels.length)
  expect(sentTo).toEqual(['owner', 'bob', 'owner', 'owner'])
  for (const channel of channels) channel.leave()
  writer.membership.leave()
})
