import { expect, test } from 'vitest'
import type { LinkInfo } from '../transports/transport.ts'
import {
  type ClientArrival,
  Journal,
  LATEST_EDITS,
  type NewEdit,
  MAX_JOURNAL_EDITS,
  ownFiguresOf,
} from './journal.ts'

const CREATED_AT = 1_000
const link: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }

/** A journal with this many edits, a second apart, the first with message 11. */
function journalWith(edits: number): Journal {
  const journal = new Journal((client) => `window ${client}`)
  for (let edit = 1; edit <= edits; edit++) journal.recordEdit(made(edit))
  return journal
}

const made = (edit: number, fields: Partial<NewEdit> = {}): NewEdit => ({
  edit,
  messageNumber: 10 + edit,
  at: CREATED_AT,
  triggeredAt: undefined,
  by: 'program',
  ...fields,
})

const clientArrival = (client: number, received = 5): ClientArrival => ({
  client,
  received,
  applied: received + 1,
  painted: received + 9,
  path: 'server',
  boundMs: 1,
})

const stageTimes = (journal: Journal, stage: 'sent' | 'acknowledged' | 'saved' | 'ownPaint' | 'refused') =>
  journal.latest(LATEST_EDITS).map((timeline) => timeline[stage])

test('[L1] spans count from the key, and a key that comes after its own edit counts from the edit', () => {
  const journal = journalWith(0)
  journal.recordEdit(made(1, { triggeredAt: CREATED_AT - 12, by: 'input' }))
  journal.recordEdit(made(2, { triggeredAt: CREATED_AT + 50, by: 'input' }))
  journal.recordSent(12, CREATED_AT + 3, link)
  expect(journal.latest(LATEST_EDITS)).toEqual([
    { edit: 1, key: CREATED_AT - 12, by: 'input', made: 12, link, sent: 15, arrivals: [] },
    { edit: 2, key: CREATED_AT, by: 'input', made: 0, link, sent: 3, arrivals: [] },
  ])
  expect([1, 2, 3].map((edit) => journal.keyTimeOf(edit))).toEqual([CREATED_AT - 12, CREATED_AT, undefined])
})

test('[L1] a number stands for all edits up to it, and the first time counts', () => {
  const journal = journalWith(3)
  journal.recordSent(12, CREATED_AT + 1, link)
  journal.recordSent(13, CREATED_AT + 8, link)
  journal.recordAcknowledged(11, CREATED_AT + 4)
  journal.recordAcknowledged(12, CREATED_AT + 6)
  expect(stageTimes(journal, 'sent')).toEqual([1, 1, 8])
  expect(stageTimes(journal, 'acknowledged')).toEqual([4, 6, undefined])
  expect(ownFiguresOf(journal.latest(LATEST_EDITS))).toMatchObject({
    sent: { count: 3, max: 8 },
    acknowledged: { count: 2 },
  })
})

test('[T8] an edit keeps the link that it left by; one without a message number has that of its saving', () => {
  const journal = journalWith(3)
  const simulated: LinkInfo = { transport: 'poll', protocol: 'h2', up: 'batched posts', simulated: true }
  journal.recordSent(12, CREATED_AT + 1, link)
  journal.forgetMessageNumbers()
  journal.recordSent(13, CREATED_AT + 2, simulated)
  journal.recordSaved(2, CREATED_AT + 3, simulated)
  expect(journal.latest(LATEST_EDITS).map((one) => one.link)).toEqual([link, link, undefined])
  journal.recordSaved(3, CREATED_AT + 3, simulated)
  expect(journal.latest(LATEST_EDITS).map((one) => one.link)).toEqual([link, link, simulated])
})

test('[L1] after numbers begin again, old edits can only be saved', () => {
  const journal = journalWith(2)
  journal.forgetMessageNumbers()
  journal.recordEdit(made(3, { messageNumber: 1 }))
  journal.recordSent(20, CREATED_AT + 2, link)
  journal.recordAcknowledged(20, CREATED_AT + 4)
  journal.recordSaved(2, CREATED_AT + 30, link)
  expect(stageTimes(journal, 'sent')).toEqual([undefined, undefined, 2])
  expect(stageTimes(journal, 'acknowledged')).toEqual([undefined, undefined, 4])
  expect(stageTimes(journal, 'saved')).toEqual([30, 30, undefined])
})

test('[L1] an edit is saved once; a refused one stays refused, and no other is refused', () => {
  const journal = journalWith(3)
  journal.recordSaved(1, CREATED_AT + 7, link)
  journal.recordSaved(1, CREATED_AT + 70, link)
  journal.recordRefusal()
  journal.recordSaved(3, CREATED_AT + 90, link)
  expect(stageTimes(journal, 'saved')).toEqual([7, undefined, undefined])
  expect(stageTimes(journal, 'refused')).toEqual([undefined, true, true])
  journal.recordEdit(made(4))
  journal.recordSaved(4, CREATED_AT + 3, link)
  expect(stageTimes(journal, 'saved')).toEqual([7, undefined, undefined, 3])
})

test('[L1] an edit in a hidden page is not painted, and no figure counts it', () => {
  const journal = journalWith(2)
  journal.recordPaint(1, 'hidden')
  journal.recordPaint(2, CREATED_AT + 16)
  journal.recordPaint(9, CREATED_AT + 16)
  expect(stageTimes(journal, 'ownPaint')).toEqual(['hidden', 16])
  expect(ownFiguresOf(journal.latest(LATEST_EDITS)).ownPaint).toMatchObject({ count: 1, max: 16 })
})

test('[L1] a stage before the key counts as 0', () => {
  const journal = journalWith(1)
  journal.recordSent(11, CREATED_AT - 5, link)
  expect(stageTimes(journal, 'sent')).toEqual([0])
})

test('[L1] each window reports an edit once, under the name that it has by now', () => {
  const journal = journalWith(2)
  expect(journal.recordArrival(1, clientArrival(7))).toBe(true)
  expect(journal.recordArrival(1, clientArrival(7, 50))).toBe(false)
  expect(journal.recordArrival(1, clientArrival(8))).toBe(true)
  expect(journal.recordArrival(9, clientArrival(7))).toBe(false)
  const { client: _, ...spans } = clientArrival(7)
  expect(journal.latest(LATEST_EDITS).map(({ arrivals }) => arrivals)).toEqual([
    [
      { window: 'window 7', ...spans },
      { window: 'window 8', ...spans },
    ],
    [],
  ])
})

test('the newest 5,000 are kept, in their order', () => {
  const journal = journalWith(MAX_JOURNAL_EDITS + 10)
  const stored = journal.latest(MAX_JOURNAL_EDITS * 2).map(({ edit }) => edit)
  expect([stored.length, stored[0], stored.at(-1)]).toEqual([MAX_JOURNAL_EDITS, 11, MAX_JOURNAL_EDITS + 10])
  expect(journal.latest(2).map(({ edit }) => edit)).toEqual([MAX_JOURNAL_EDITS + 9, MAX_JOURNAL_EDITS + 10])
  expect([journal.keyTimeOf(10), journal.keyTimeOf(11)]).toEqual([undefined, CREATED_AT])
})

test('every change raises the revision, and nothing else does', () => {
  const journal = journalWith(3)
  const changedBy = (act: () => unknown): boolean => {
    const before = journal.revision
    act()
    return journal.revision > before
  }
  const acts: readonly (() => unknown)[] = [
    () => journal.recordSent(13, CREATED_AT, link),
    () => journal.recordAcknowledged(13, CREATED_AT),
    () => journal.recordSaved(1, CREATED_AT, link),
    () => journal.recordPaint(1, 'hidden'),
    () => journal.recordArrival(1, clientArrival(7)),
    () => journal.recordRefusal(),
  ]
  expect(acts.map(changedBy)).toEqual(acts.map(() => true))
  const again = acts.filter((_, index) => index !== 3)
  expect(again.map(changedBy)).toEqual(again.map(() => false))
  expect([() => journal.recordEdit(made(4)), () => journal.reset()].map(changedBy)).toEqual([true, true])
})

test('after a reset nothing is left, and later stages of open edits are ignored', () => {
  const journal = journalWith(2)
  journal.recordSent(12, CREATED_AT + 5, link)
  journal.reset()
  journal.recordAcknowledged(12, CREATED_AT + 9)
  journal.recordPaint(1, CREATED_AT + 9)
  expect(journal.latest(LATEST_EDITS)).toEqual([])
  expect(journal.keyTimeOf(1)).toBe(undefined)
})
