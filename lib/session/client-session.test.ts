import { expect, test } from 'vitest'
import type { ChannelHandlers } from './client-channel.ts'
import { ManualClock } from './fixtures/manual-clock.ts'
import { ClientSession } from './client-session.ts'
import { closeNumber } from '../protocol/close.ts'
import { FrameJoiner, packFrames } from '../protocol/framing.ts'
import { newDocumentId } from '../protocol/ids.ts'
import type { ClientMessage, ServerMessage } from '../protocol/message.ts'
import { encodeServerMessage, readClientMessages } from '../protocol/message.ts'
import { createMemoryTransport } from '../transports/memory.ts'
import type { NetworkPlatform } from '../transports/net/net.ts'
import type { Link } from '../transports/transport.ts'

const handlers: ChannelHandlers = {
  stateVector: () => Uint8Array.of(0),
  clientId: () => 1,
  onClientIdTaken: () => false,
  onAttached: () => null,
  onChange() {},
  onPresence() {},
  onTrace() {},
  onRole() {},
  onStoreState() {},
  onCompared() {},
  onRefused() {},
  onDetached() {},
  onLink() {},
  onUnlinked() {},
  onCountChange() {},
}

const [update, stateVector] = [Uint8Array.of(0, 0), Uint8Array.of(0)]

/** A session with one attached channel, and a server that sends what a test wants. */
async function createFixture() {
  const clock = new ManualClock()
  const received: ClientMessage[] = []
  let link: Link | undefined
  const send = (...messages: ServerMessage[]): void => {
    for (const frame of packFrames(messages.map(encodeServerMessage))) void link?.send(frame)
  }
  const transport = createMemoryTransport((end) => {
    const joiner = new FrameJoiner()
    link = end
    return {
      onFrame(frame) {
        for (const message of readClientMessages(joiner.push(frame) ?? new Uint8Array())) {
          received.push(message)
          if (message.type === 'ping') send({ type: 'pong', token: message.token })
        }
      },
      onClosed() {},
    }
  })
  const net = { roundTripMs: () => 10 } as unknown as NetworkPlatform
  const session = new ClientSession(
    {
      transports: new Map([['websocket', transport]]),
      target: { origin: 'memory:', net },
      wanted: 'websocket',
      clock,
    },
    () => {},
  )
  const channel = session.openChannel({ document: newDocumentId(), part: 'body', token: '' }, handlers)
  channel.markReady()
  session.start()
  await clock.pass(10)
  send(
    { type: 'welcome', id: 'a.1', secret: 's', resumed: false, received: 0, principal: '', offers: '' },
    { type: 'attached', number: 1, channel: 1, role: 'editor', updates: [update], stateVector },
  )
  await clock.pass(10)
  return { clock, received, send, sendFrame: (frame: Uint8Array) => void link?.send(frame), session, channel }
}

test('[S1] abandoned edits keep their numbers until they are received: otherwise there would be a permanent gap', async () => {
  const { clock, received, send, session, channel } = await createFixture()
  channel.sendEdit(update)
  channel.sendEdit(update)
  channel.reattach('digest') // in the same turn, before anything went out
  await clock.pass(10)
  const numbered = received.flatMap((one) =>
    'number' in one && 'channel' in one ? [[one.type, one.number]] : [],
  )
  expect(numbered).toEqual([['attach', 1], ['edit', 2], ['edit', 3], ['attach', 4]]) // prettier-ignore
  expect(channel.unsaved).toBe(2)
  send({ type: 'saved', number: 2, channel: 1, upTo: 3 }) // State vectors bring their text now.
  await clock.pass(10)
  expect(channel.unsaved).toBe(2)
  const closing = session.close()
  await clock.pass(1_000)
  await closing
})

test('[S9] an edit that is refused for a reason of a later version is held, and sent again after the time that came with it', async () => {
  const { clock, received, sendFrame, session, channel } = await createFixture()
  const attaches = () => received.filter(({ type }) => type === 'attach').length
  channel.sendEdit(update)
  await clock.pass(10)
  const reason = { code: 'full', retryAfterMs: 15_000, detail: 'No space.' } as const
  const refusal = encodeServerMessage({ type: 'refused', number: 2, channel: 1, refused: 2, reason })
  sendFrame(packFrames([refusal])[0]!.map((byte) => (byte === closeNumber('full') ? 99 : byte)))
  await clock.pass(14_000)
  expect([attaches(), channel.unsaved, channel.pauseReason]).toEqual([1, 1, { ...reason, code: 'lost' }])
  await clock.pass(17_000)
  expect([attaches(), channel.unsaved]).toEqual([2, 1])
  const closing = session.close()
  await clock.pass(1_000)
  await closing
})

test('[S8] a pause lasts as long as the server asks, even if an earlier one ended before its time', async () => {
  const { clock, received, send, session, channel } = await createFixture()
  const attaches = () => received.filter(({ type }) => type === 'attach').length
  const refuse = (number: number, refused: number, retryAfterMs: number) =>
    send({ type: 'refused', number, channel: 1, refused, reason: { code: 'overloaded', retryAfterMs } })
  channel.sendEdit(update)
  channel.reattach('digest')
  await clock.pass(10)
  expect(attaches()).toBe(2)
  refuse(2, 2, 500)
  send({ type: 'attached', number: 3, channel: 1, role: 'editor', updates: [], stateVector })
  channel.sendEdit(update)
  await clock.pass(10)
  refuse(4, 4, 5_000)
  await clock.pass(3_000)
  expect(attaches()).toBe(2)
  await clock.pass(7_500)
  expect(attaches()).toBe(3)
  const closing = session.close()
  await clock.pass(1_000)
  await closing
})
