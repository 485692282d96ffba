import { expect, test } from 'vitest'
import type { LinkInfo } from '../transports/transport.ts'
import { type Arrived, Journal, LATEST, type Made, MAX_EDITS, ownFiguresOf } from './journal.ts'

const MADE_AT = 1_000
const link: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }

/** So many edits, the first with message 11, a second apart. */
function written(edits: number): Journal {
  const journal = new Journal((client) => `window ${client}`)
  for (let edit = 1; edit <= edits; edit++) journal.made(made(edit))
  return journal
}

const made = (edit: number, fields: Partial<Made> = {}): Made => ({
  edit,
  number: 10 + edit,
  at: MADE_AT,
  began: undefined,
  by: 'program',
  ...fields,
})

const arrived = (client: number, received = 5): Arrived => ({
  client,
  received,
  applied: received + 1,
  painted: received + 9,
  path: 'server',
  boundMs: 1,
})

const stations = (journal: Journal, station: 'sent' | 'acknowledged' | 'saved' | 'ownPaint' | 'refused') =>
  journal.latest(LATEST).map((timeline) => timeline[station])

test('[L1] spans count from the key, and a key that lies behind its own edit counts from the edit', () => {
  const journal = written(0)
  journal.made(made(1, { began: MADE_AT - 12, by: 'input' }))
  journal.made(made(2, { began: MADE_AT + 50, by: 'input' }))
  journal.sent(12, MADE_AT + 3, link)
  expect(journal.latest(LATEST)).toEqual([
    { edit: 1, key: MADE_AT - 12, by: 'input', made: 12, link, sent: 15, arrivals: [] },
    { edit: 2, key: MADE_AT, by: 'input', made: 0, link, sent: 3, arrivals: [] },
  ])
  expect([1, 2, 3].map((edit) => journal.keyOf(edit))).toEqual([MADE_AT - 12, MADE_AT, undefined])
})

test('[L1] a number tells of all edits up to it, and the first time counts', () => {
  const journal = written(3)
  journal.sent(12, MADE_AT + 1, link)
  journal.sent(13, MADE_AT + 8, link)
  journal.arrived(11, MADE_AT + 4)
  journal.arrived(12, MADE_AT + 6)
  expect(stations(journal, 'sent')).toEqual([1, 1, 8])
  expect(stations(journal, 'acknowledged')).toEqual([4, 6, undefined])
  expect(ownFiguresOf(journal.latest(LATEST))).toMatchObject({
    sent: { count: 3, max: 8 },
    acknowledged: { count: 2 },
  })
})

test('[T8] an edit keeps the link that it left by; one that was told no number has that of its saving', () => {
  const journal = written(3)
  const simulated: LinkInfo = { transport: 'poll', protocol: 'h2', up: 'batched posts', simulated: true }
  journal.sent(12, MADE_AT + 1, link)
  journal.restarted()
  journal.sent(13, MADE_AT + 2, simulated)
  journal.saved(2, MADE_AT + 3, simulated)
  expect(journal.latest(LATEST).map((one) => one.link)).toEqual([link, link, undefined])
  journal.saved(3, MADE_AT + 3, simulated)
  expect(journal.latest(LATEST).map((one) => one.link)).toEqual([link, link, simulated])
})

test('[L1] where numbers begin again, old edits are only told to be saved', () => {
  const journal = written(2)
  journal.restarted()
  journal.made(made(3, { number: 1 }))
  journal.sent(20, MADE_AT + 2, link)
  journal.arrived(20, MADE_AT + 4)
  journal.saved(2, MADE_AT + 30, link)
  expect(stations(journal, 'sent')).toEqual([undefined, undefined, 2])
  expect(stations(journal, 'acknowledged')).toEqual([undefined, undefined, 4])
  expect(stations(journal, 'saved')).toEqual([30, 30, undefined])
})

test('[L1] what is saved is saved once; what is refused stays so, and nothing else is', () => {
  const journal = written(3)
  journal.saved(1, MADE_AT + 7, link)
  journal.saved(1, MADE_AT + 70, link)
  journal.refused()
  journal.saved(3, MADE_AT + 90, link)
  expect(stations(journal, 'saved')).toEqual([7, undefined, undefined])
  expect(stations(journal, 'refused')).toEqual([undefined, true, true])
  journal.made(made(4))
  journal.saved(4, MADE_AT + 3, link)
  expect(stations(journal, 'saved')).toEqual([7, undefined, undefined, 3])
})

test('[L1] an edit in a hidden page is not painted, and no figure is made of it', () => {
  const journal = written(2)
  journal.painted(1, 'hidden')
  journal.painted(2, MADE_AT + 16)
  journal.painted(9, MADE_AT + 16)
  expect(stations(journal, 'ownPaint')).toEqual(['hidden', 16])
  expect(ownFiguresOf(journal.latest(LATEST)).ownPaint).toMatchObject({ count: 1, max: 16 })
})

test('[L1] what clocks put before the key took no time', () => {
  const journal = written(1)
  journal.sent(11, MADE_AT - 5, link)
  expect(stations(journal, 'sent')).toEqual([0])
})

test('[L1] each window tells of an edit once, under the name that it has by now', () => {
  const journal = written(2)
  expect(journal.arrive(1, arrived(7))).toBe(true)
  expect(journal.arrive(1, arrived(7, 50))).toBe(false)
  expect(journal.arrive(1, arrived(8))).toBe(true)
  expect(journal.arrive(9, arrived(7))).toBe(false)
  const { client: _, ...spans } = arrived(7)
  expect(journal.latest(LATEST).map(({ arrivals }) => arrivals)).toEqual([
    [
      { window: 'window 7', ...spans },
      { window: 'window 8', ...spans },
    ],
    [],
  ])
})

test('the newest 5,000 are kept, in their order', () => {
  const journal = written(MAX_EDITS + 10)
  const kept = journal.latest(MAX_EDITS * 2).map(({ edit }) => edit)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([MAX_EDITS, 11, MAX_EDITS + 10])
  expect(journal.latest(2).map(({ edit }) => edit)).toEqual([MAX_EDITS + 9, MAX_EDITS + 10])
  expect([journal.keyOf(10), journal.keyOf(11)]).toEqual([undefined, MADE_AT])
})

test('whatever changes is noticed, and what changes nothing is not', () => {
  const journal = written(3)
  const changedBy = (act: () => unknown): boolean => {
    const before = journal.changes
    act()
    return journal.changes > before
  }
  const acts: readonly (() => unknown)[] = [
    () => journal.sent(13, MADE_AT, link),
    () => journal.arrived(13, MADE_AT),
    () => journal.saved(1, MADE_AT, link),
    () => journal.painted(1, 'hidden'),
    () => journal.arrive(1, arrived(7)),
    () => journal.refused(),
  ]
  expect(acts.map(changedBy)).toEqual(acts.map(() => true))
  const again = acts.filter((_, index) => index !== 3)
  expect(again.map(changedBy)).toEqual(again.map(() => false))
  expect([() => journal.made(made(4)), () => journal.reset()].map(changedBy)).toEqual([true, true])
})

test('after a reset nothing is left, and what was open is not heard of again', () => {
  const journal = written(2)
  journal.sent(12, MADE_AT + 5, link)
  journal.reset()
  journal.arrived(12, MADE_AT + 9)
  journal.painted(1, MADE_AT + 9)
  expect(journal.latest(LATEST)).toEqual([])
  expect(journal.keyOf(1)).toBe(undefined)
})
