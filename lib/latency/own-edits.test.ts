import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { Opened } from '../opened.ts'
import type { LinkInfo } from '../transports/transport.ts'
import { FarWindows } from './far-windows.ts'
import { fakePage } from './fixtures/powers.ts'
import type { SeenRow, Stamp } from './messages.ts'
import { OwnEdits } from './own-edits.ts'

const KEY = 5_000_000
const FAR = 7

/** A window in which time stands still unless a test moves it, and one other window. */
function world() {
  const state = {
    now: KEY,
    stamping: true,
    inputAt: undefined as number | undefined,
    painted: [] as (() => void)[],
  }
  const stamps: Stamp[] = []
  const doc = new Y.Doc()
  const provider = { saved: 0, refusal: null as unknown }
  const link: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }
  const traffic = { bytesUp: 0, bytesDown: 0 }
  // Of an opened document no more than is read here.
  const opened = {
    main: { doc, provider },
    session: { links: { current: { info: link }, record: { traffic } } },
  } as unknown as Opened
  const far = new FarWindows({ person: () => undefined, isOwn: () => false, browser: 'a browser' })
  const own = new OwnEdits({
    opened,
    powers: {
      ...fakePage('a browser'),
      now: () => state.now,
      inputAt: () => state.inputAt,
      afterPaint: (run) => void state.painted.push(() => run(state.now)),
    },
    far,
    stamping: () => state.stamping,
    tell: (stamp) => void stamps.push(stamp),
  })
  let edits = 0
  const type = (): Stamp | null => {
    doc.getText('words').insert(0, 'x')
    edits += 1
    own.watch.onMade(edits, edits)
    return own.stamp
  }
  const tell = (
    rows: Partial<SeenRow>[],
    opening = stamps.at(-1)!.opening,
    offset = { ms: 0, boundMs: 2 },
  ): void => own.seen(FAR, { type: 'seen', opening, offset: null, rows: rows.map(rowOf) }, offset)
  return { state, stamps, provider, traffic, far, own, type, tell }
}

const rowOf = (fields: Partial<SeenRow>): SeenRow => ({
  edit: 1,
  received: KEY + 10,
  applied: 0.5,
  painted: 12,
  path: 'server',
  ...fields,
})

const arrivals = ({ own }: ReturnType<typeof world>) => own.journal.latest(9).flatMap((one) => one.arrivals)

test('[L1] a stamp names the edit, and how far its author’s text is with it', () => {
  const { stamps, type } = world()
  expect(type()).toMatchObject({ type: 'stamp', edit: 1, clock: 1 })
  expect(type()).toMatchObject({ edit: 2, clock: 2 })
  expect(stamps.map(({ edit }) => edit)).toEqual([1, 2])
})

test('[L1] while nobody of this person looks nothing is stamped, and no stamp of before stands', () => {
  const { state, stamps, own, type } = world()
  type()
  state.stamping = false
  expect(type()).toBe(null)
  expect([stamps.length, own.journal.latest(9).length]).toEqual([1, 1])
  state.stamping = true
  type()
  own.sleep()
  expect(own.stamp).toBe(null)
})

test('[L1] a key counts, else the time meant, which is that of one edit; asleep it is forgotten', () => {
  const it = world()
  it.state.inputAt = KEY - 3
  it.type()
  it.own.intended(KEY - 40)
  it.type()
  it.state.inputAt = undefined
  it.type()
  it.own.intended(KEY - 40)
  it.own.sleep()
  it.type()
  expect(it.own.journal.latest(9).map(({ by, made }) => [by, made])).toEqual([
    ['input', 3],
    ['program', 40],
    ['program', 0],
    ['program', 0],
  ])
})

test('[L1] saved and refused are the document’s own words; painted is when it was', () => {
  const it = world()
  it.type()
  it.type()
  it.state.now += 16
  for (const paint of it.state.painted) paint()
  it.provider.saved = 1
  it.state.now += 4
  it.own.watch.onCount()
  it.provider.refusal = { code: 'forbidden' }
  it.own.watch.onCount()
  expect(it.own.journal.latest(9)).toMatchObject([
    { ownPaint: 16, saved: 20 },
    { ownPaint: 16, refused: true },
  ])
})

test('[L2] a time elsewhere is put on this clock, and what follows it counts from there', () => {
  const it = world()
  it.type()
  it.tell([{ received: KEY + 2_510, painted: 12, path: 'browser' }], undefined, { ms: -2_500, boundMs: 2 })
  expect(arrivals(it)).toEqual([
    { window: 'client-7', received: 10, applied: 10.5, painted: 22, path: 'browser', boundMs: 2 },
  ])
})

test('[L2] before the key but within the bound is at once; a hidden page stays hidden', () => {
  const it = world()
  it.type()
  it.tell([{ received: KEY - 2, painted: 'hidden' }])
  expect(arrivals(it)).toMatchObject([{ received: 0, applied: 0.5, painted: 'hidden' }])
})

test.each<[what: string, row: Partial<SeenRow>, isTaken: boolean]>([
  ['before the key by more than the bound', { received: KEY - 2.5 }, false],
  ['after an hour', { received: KEY + 3_600_000 }, true],
  ['after more than an hour', { received: KEY + 3_600_001 }, false],
  ['of an edit that is not known', { edit: 9 }, false],
])('[A6] an answer %s: %j is taken: %s', (_what, row, isTaken) => {
  const it = world()
  it.type()
  it.tell([row])
  expect(arrivals(it).length).toBe(isTaken ? 1 : 0)
  expect(it.far.who.length).toBe(isTaken ? 1 : 0)
})

test('[A6] an answer to another page load counts for nothing, and one told twice once', () => {
  const it = world()
  const { opening } = it.type()!
  it.tell([{}], opening + 1)
  expect(arrivals(it)).toEqual([])
  it.tell([{}, {}])
  it.tell([{ received: KEY + 90 }])
  expect(arrivals(it)).toMatchObject([{ received: 10 }])
})

test('a reset begins anew with the bytes a key, too', () => {
  const it = world()
  it.type()
  Object.assign(it.traffic, { bytesUp: 30, bytesDown: 50 })
  it.type()
  expect(it.own.perKey.mean()).toEqual({ up: 30, down: 50 })
  it.own.reset()
  expect([it.own.perKey.mean(), it.own.journal.latest(9)]).toEqual([undefined, []])
})
