import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { DocumentHandle } from '../document-handle.ts'
import type { LinkInfo } from '../transports/transport.ts'
import { RemoteWindows } from './remote-windows.ts'
import { fakePage } from './fixtures/fake-page.ts'
import type { EditReportRow, EditStamp } from './latency-messages.ts'
import { OwnEdits } from './own-edits.ts'

const KEY = 5_000_000
const REMOTE_CLIENT = 7

/** A window in which time stands still unless a test moves it, and one other window. */
function ownEditsFixture() {
  const state = {
    now: KEY,
    stamping: true,
    inputAt: undefined as number | undefined,
    painted: [] as (() => void)[],
  }
  const stamps: EditStamp[] = []
  const doc = new Y.Doc()
  const provider = { saved: 0, refusal: null as unknown }
  const link: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }
  const traffic = { bytesUp: 0, bytesDown: 0 }
  // Has only those parts of an opened document that are read here.
  const opened = {
    mainPart: { doc, provider },
    session: { links: { current: { info: link }, record: { traffic } } },
  } as unknown as DocumentHandle
  const remoteWindows = new RemoteWindows({
    ownerOf: () => undefined,
    isOwn: () => false,
    browser: 'a browser',
  })
  const own = new OwnEdits({
    opened,
    platform: {
      ...fakePage('a browser'),
      now: () => state.now,
      inputAt: () => state.inputAt,
      afterPaint: (run) => void state.painted.push(() => run(state.now)),
    },
    remoteWindows,
    shouldStamp: () => state.stamping,
    broadcastStamp: (stamp) => void stamps.push(stamp),
  })
  let edits = 0
  const type = (): EditStamp | null => {
    doc.getText('words').insert(0, 'x')
    edits += 1
    own.watch.onEditCreated(edits, edits)
    return own.stamp
  }
  const receiveReport = (
    rows: Partial<EditReportRow>[],
    opening = stamps.at(-1)!.opening,
    offset = { ms: 0, boundMs: 2 },
  ): void =>
    own.receiveReport(
      REMOTE_CLIENT,
      { type: 'report', opening, offset: null, rows: rows.map(reportRow) },
      offset,
    )
  return { state, stamps, provider, traffic, far: remoteWindows, own, type, receiveReport }
}

const reportRow = (fields: Partial<EditReportRow>): EditReportRow => ({
  edit: 1,
  received: KEY + 10,
  applied: 0.5,
  painted: 12,
  path: 'server',
  ...fields,
})

const arrivals = ({ own }: ReturnType<typeof ownEditsFixture>) =>
  own.journal.latest(9).flatMap((one) => one.arrivals)

test('[L1] a stamp names the edit, and how far its author’s text has come with it', () => {
  const { stamps, type } = ownEditsFixture()
  expect(type()).toMatchObject({ type: 'stamp', edit: 1, clock: 1 })
  expect(type()).toMatchObject({ edit: 2, clock: 2 })
  expect(stamps.map(({ edit }) => edit)).toEqual([1, 2])
})

test('[L1] while nobody of this person looks nothing is stamped, and no earlier stamp stays', () => {
  const { state, stamps, own, type } = ownEditsFixture()
  type()
  state.stamping = false
  expect(type()).toBe(null)
  expect([stamps.length, own.journal.latest(9).length]).toEqual([1, 1])
  state.stamping = true
  type()
  own.stop()
  expect(own.stamp).toBe(null)
})

test('[L1] the key counts, else the intended time, which is for one edit; a stop forgets it', () => {
  const fixture = ownEditsFixture()
  fixture.state.inputAt = KEY - 3
  fixture.type()
  fixture.own.setIntendedTime(KEY - 40)
  fixture.type()
  fixture.state.inputAt = undefined
  fixture.type()
  fixture.own.setIntendedTime(KEY - 40)
  fixture.own.stop()
  fixture.type()
  expect(fixture.own.journal.latest(9).map(({ by, made }) => [by, made])).toEqual([
    ['input', 3],
    ['program', 40],
    ['program', 0],
    ['program', 0],
  ])
})

test('[L1] the provider says what is saved and refused; the frame says when it was painted', () => {
  const fixture = ownEditsFixture()
  fixture.type()
  fixture.type()
  fixture.state.now += 16
  for (const paint of fixture.state.painted) paint()
  fixture.provider.saved = 1
  fixture.state.now += 4
  fixture.own.watch.onCountChange()
  fixture.provider.refusal = { code: 'forbidden' }
  fixture.own.watch.onCountChange()
  expect(fixture.own.journal.latest(9)).toMatchObject([
    { ownPaint: 16, saved: 20 },
    { ownPaint: 16, refused: true },
  ])
})

test('[L2] a time elsewhere is converted to this clock, and what follows it counts from there', () => {
  const fixture = ownEditsFixture()
  fixture.type()
  fixture.receiveReport([{ received: KEY + 2_510, painted: 12, path: 'browser' }], undefined, {
    ms: -2_500,
    boundMs: 2,
  })
  expect(arrivals(fixture)).toEqual([
    { window: 'client-7', received: 10, applied: 10.5, painted: 22, path: 'browser', boundMs: 2 },
  ])
})

test('[L2] a time before the key but within the bound counts as 0; a hidden page stays hidden', () => {
  const fixture = ownEditsFixture()
  fixture.type()
  fixture.receiveReport([{ received: KEY - 2, painted: 'hidden' }])
  expect(arrivals(fixture)).toMatchObject([{ received: 0, applied: 0.5, painted: 'hidden' }])
})

test.each<[what: string, row: Partial<EditReportRow>, isTaken: boolean]>([
  ['before the key by more than the bound', { received: KEY - 2.5 }, false],
  ['after an hour', { received: KEY + 3_600_000 }, true],
  ['after more than an hour', { received: KEY + 3_600_001 }, false],
  ['of an edit that is not known', { edit: 9 }, false],
])('[A6] an answer %s: %j is taken: %s', (_what, row, isTaken) => {
  const fixture = ownEditsFixture()
  fixture.type()
  fixture.receiveReport([row])
  expect(arrivals(fixture).length).toBe(isTaken ? 1 : 0)
  expect(fixture.far.identities.length).toBe(isTaken ? 1 : 0)
})

test('[A6] a report to another page load is ignored, and a repeated one counts once', () => {
  const fixture = ownEditsFixture()
  const { opening } = fixture.type()!
  fixture.receiveReport([{}], opening + 1)
  expect(arrivals(fixture)).toEqual([])
  fixture.receiveReport([{}, {}])
  fixture.receiveReport([{ received: KEY + 90 }])
  expect(arrivals(fixture)).toMatchObject([{ received: 10 }])
})

test('a reset also resets the bytes per key', () => {
  const fixture = ownEditsFixture()
  fixture.type()
  Object.assign(fixture.traffic, { bytesUp: 30, bytesDown: 50 })
  fixture.type()
  expect(fixture.own.bytesPerKey.mean()).toEqual({ up: 30, down: 50 })
  fixture.own.reset()
  expect([fixture.own.bytesPerKey.mean(), fixture.own.journal.latest(9)]).toEqual([undefined, []])
})
