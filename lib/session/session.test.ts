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

test('[S1] edits that are given up on the line keep their numbers there: a hole would be a gap for good', async () => {
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
      onFrame: (frame) => void heard.push(...readClientMessages(joiner.push(frame) ?? new Uint8Array())),
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
  const [update, stateVector] = [Uint8Array.of(0, 0), Uint8Array.of(0)]
  say(
    { type: 'welcome', id: 'a.1', secret: 's', resumed: false, received: 0, principal: '', offers: '' },
    { type: 'attached', number: 1, channel: 1, role: 'editor', updates: [update], stateVector },
  )
  await clock.pass(10)
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
