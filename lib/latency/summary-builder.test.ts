import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { DocumentHandle } from '../document-handle.ts'
import type { LinkInfo } from '../transports/transport.ts'
import { RemoteWindows } from './remote-windows.ts'
import { SummaryBuilder } from './summary-builder.ts'
import { fakePage } from './fixtures/fake-page.ts'
import { OwnEdits } from './own-edits.ts'
import { ServerClock } from './server-clock.ts'

const REMOTE_CLIENT = 7
const websocket: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }
const poll: LinkInfo = { transport: 'poll', protocol: 'h2', up: 'batched posts' }

/** A window that types. Each letter is sent at once and seen by another window after the delay of its link. */
function typingFixture() {
  const doc = new Y.Doc()
  const links = {
    current: { info: websocket } as { info: LinkInfo } | null,
    record: { traffic: { bytesUp: 0, bytesDown: 0 }, opened: 1, switches: 0, linkChanges: [] },
  }
  const mainPart = {
    doc,
    provider: { edits: 0, saved: 0, refusal: null },
    awareness: { getStates: () => new Map<number, object>() },
  }
  const session = { links, unacknowledgedBytes: 0 }
  // Has only those parts of an opened document that are read here.
  const opened = { mainPart, session, status: { get: () => ({}) } } as unknown as DocumentHandle
  let [now, opening, edits] = [1_000_000, 0, 0]
  const platform = { ...fakePage('a browser'), now: () => now, afterPaint: () => {} }
  const remoteWindows = new RemoteWindows({
    ownerOf: () => undefined,
    isOwn: () => false,
    browser: 'a browser',
  })
  const broadcastStamp = (stamp: { opening: number }) => void (opening = stamp.opening)
  const own = new OwnEdits({
    opened,
    platform,
    remoteWindows,
    shouldStamp: () => true,
    broadcastStamp,
  })
  const clock = new ServerClock({
    now: () => now,
    requestClock: () => {},
    linkCount: () => 1,
    currentLink: () => links.current?.info,
  })
  const summaryBuilder = new SummaryBuilder({ opened, platform, own, remoteWindows, clock })
  const type = (takes: number): void => {
    doc.getText('words').insert(0, 'x')
    edits += 1
    own.watch.onEditCreated(edits, edits)
    own.onSent(edits)
    const row = { edit: edits, received: now + takes, applied: 0, painted: 0, path: 'server' } as const
    own.receiveReport(
      REMOTE_CLIENT,
      { type: 'report', opening, offset: null, rows: [row] },
      { ms: 0, boundMs: 0 },
    )
    mainPart.provider.saved = edits
    now += takes
    own.watch.onCountChange()
  }
  return { links, figures: summaryBuilder, type, far: remoteWindows }
}

/** How many edits there were, and how long the slowest took. */
const read = ({ figures: summaryBuilder }: ReturnType<typeof typingFixture>) => {
  const { own, windows, earlier } = summaryBuilder.build()
  const about = ({ count, max }: { count: number; max: number }) => [count, max]
  return {
    saved: about(own.saved),
    received: windows.map(({ received }) => about(received)),
    earlier: earlier.map((one) => [one.link.transport, one.edits, ...about(one.own.saved)]),
  }
}

test('[L3] after a switch figures are those of the transport in use, and the others stand beside them', () => {
  const it = typingFixture()
  for (let count = 0; count < 3; count++) it.type(5)
  expect(read(it)).toEqual({ saved: [3, 5], received: [[3, 5]], earlier: [] })
  it.links.current = { info: poll }
  expect(read(it)).toEqual({ saved: [0, 0], received: [], earlier: [['websocket', 3, 3, 5]] })
  it.type(90)
  expect(read(it)).toEqual({ saved: [1, 90], received: [[1, 90]], earlier: [['websocket', 3, 3, 5]] })
  it.links.current = { info: { ...websocket, simulated: true } }
  it.type(40)
  expect(read(it)).toEqual({
    saved: [1, 40],
    received: [[1, 40]],
    earlier: [
      ['poll', 1, 1, 90],
      ['websocket', 3, 3, 5],
    ],
  })
  it.links.current = { info: websocket }
  expect(read(it).saved).toEqual([3, 5])
})

test('[L3] without a link the figures of the last one stay', () => {
  const it = typingFixture()
  it.type(5)
  it.links.current = null
  expect(read(it)).toEqual({ saved: [1, 5], received: [[1, 5]], earlier: [] })
})
