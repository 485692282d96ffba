import { expect, test } from 'vitest'
import type { ChannelHandlers } from './channel.ts'
import { ManualClock } from './fixtures/manual-clock.ts'
import { ClientSession } from './session.ts'
import { FrameJoiner, packFrames } from '../protocol/envelope.ts'
import { newDocumentId } from '../protocol/ids.ts'
import type { ClientMessage, ServerMessage } from '../protocol/message.ts'
import { encodeServerMessage, readClientMessages } from '../protocol/message.ts'
import { memoryTransport } from '../transports/memory.ts'
import type { Net } from '../transports/net/net.ts'
import type { Link } from '../transports/transport.ts'

const handlers: ChannelHandlers = {
  stateVector: () => Uint8Array.of(0),
  client: () => 1,
  onTaken: () => false,
  onAttached: () => null,
  onChange() {},
  onPresence() {},
  onTrace() {},
  onRole() {},
  onStore() {},
  onCompared() {},
  onRefused() {},
  onDetached() {},
  onLink() {},
  onCount() {},
}

const [update, stateVector] = [Uint8Array.of(0, 0), Uint8Array.of(0)]

/** A session with one channel that is attached, to a server that says what it is told to say. */
async function attached() {
  const clock = new ManualClock()
  const heard: ClientMessage[] = []
  let link: Link | undefined
  const say = (...messages: ServerMessage[]): void => {
    for (const frame of packFrames(messages.map(encodeServerMessage))) void link?.send(frame)
  }
  const transport = memoryTransport((end) => {
    const joiner = new FrameJoiner()
    link = end
    return {
      onFrame(frame) {
        for (const message of readClientMessages(joiner.push(frame) ?? new Uint8Array())) {
          heard.push(message)
          if (message.type === 'ping') say({ type: 'pong', token: message.token })
        }
      },
      onClosed() {},
    }
  })
  const net = { roundTripMs: () => 10 } as unknown as Net
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
  channel.ready()
  session.start()
  await clock.pass(10)
  say(
    { type: 'welcome', id: 'a.1', secret: 's', resumed: false, received: 0, principal: '', offers: '' },
    { type: 'attached', number: 1, channel: 1, role: 'editor', updates: [update], stateVector },
  )
  await clock.pass(10)
  return { clock, heard, say, session, channel }
}

test('[S1] edits that are given up on the line keep their numbers there: a hole would be a gap for good', async () => {
  const { clock, heard, say, session, channel } = await attached()
  channel.edit(update)
  channel.edit(update)
  channel.heal('digest') // in the same turn: nothing of it has gone out
  await clock.pass(10)
  const numbered = heard.flatMap((one) =>
    'number' in one && 'channel' in one ? [[one.type, one.number]] : [],
  )
  expect(numbered).toEqual([['attach', 1], ['edit', 2], ['edit', 3], ['attach', 4]]) // prettier-ignore
  expect(channel.unsaved).toBe(2)
  say({ type: 'saved', number: 2, channel: 1, upTo: 3 }) // what they stood for goes by state vectors now
  await clock.pass(10)
  expect(channel.unsaved).toBe(2)
  const closing = session.close()
  await clock.pass(1_000)
  await closing
})

test('[S8] a pause lasts as long as the server asks, also where an earlier one ended before its time', async () => {
  const { clock, heard, say, session, channel } = await attached()
  const attaches = () => heard.filter(({ type }) => type === 'attach').length
  const refuse = (number: number, refused: number, retryAfterMs: number) =>
    say({ type: 'refused', number, channel: 1, refused, reason: { code: 'overloaded', retryAfterMs } })
  channel.edit(update)
  channel.heal('digest')
  await clock.pass(10)
  expect(attaches()).toBe(2)
  refuse(2, 2, 500)
  say({ type: 'attached', number: 3, channel: 1, role: 'editor', updates: [], stateVector })
  channel.edit(update)
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
