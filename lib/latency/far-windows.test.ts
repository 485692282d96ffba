import { expect, test } from 'vitest'
import { FarWindows, type Person } from './far-windows.ts'
import type { Arrived } from './journal.ts'
import type { Here } from './messages.ts'
import type { Arrival, Timeline } from './state.ts'

const [TABLET, BOB] = [1, 2]

/** A tablet of Ada's, who sits here, and Bob's window. */
function seen() {
  const people = new Map<number, Person>([
    [TABLET, { id: 'user:ada', name: 'Ada' }],
    [BOB, { id: 'user:bob', name: 'Bob' }],
  ])
  const far = new FarWindows({
    person: (client) => people.get(client),
    isOwn: (client) => people.get(client)?.id === 'user:ada',
    browser: 'this browser',
  })
  return { people, far }
}

const here = (fields: Partial<Here> = {}): Here => ({
  type: 'here',
  window: 'tablet-1',
  browser: 'another browser',
  name: 'The tablet',
  device: 'Safari on iPad',
  ...fields,
})

const arrived = (client: number, fields: Partial<Arrived> = {}): Arrived => ({
  client,
  received: 3,
  applied: 4,
  painted: 20,
  path: 'server',
  boundMs: 0.5,
  ...fields,
})

/** An edit as the journal tells of it. */
const timeline = (far: FarWindows, ...arrivals: Arrived[]): Timeline => ({
  edit: 1,
  key: 0,
  by: 'input',
  made: 0,
  arrivals: arrivals.map(({ client, ...spans }): Arrival => ({ window: far.idOf(client), ...spans })),
})

test('own windows say who they are, and are believed; nobody else is', () => {
  const { far } = seen()
  far.here(TABLET, here())
  far.here(BOB, here({ window: 'x', browser: 'this browser', name: 'I am Ada’s' }))
  expect(far.who).toEqual([
    {
      id: 'tablet-1',
      name: 'The tablet',
      device: 'Safari on iPad',
      person: 'Ada',
      own: true,
      sameBrowser: false,
      present: true,
    },
    { id: 'client-2', name: '', device: '', person: 'Bob', own: false, sameBrowser: false, present: true },
  ])
  far.here(TABLET, here({ browser: 'this browser' }))
  expect([far.sharesBrowser(TABLET), far.sharesBrowser(BOB), far.sharesBrowser(9)]).toEqual([
    true,
    false,
    false,
  ])
})

test('an own window that has not said who it is yet is an own one all the same', () => {
  const { far } = seen()
  far.arrived(arrived(TABLET))
  expect(far.who).toMatchObject([{ id: 'client-1', name: '', own: true, boundMs: 0.5 }])
})

test('another name is a change, the same one again is none', () => {
  const { far } = seen()
  const changes = (...names: string[]) =>
    names.map((name) => {
      far.here(TABLET, here({ name }))
      return far.changes
    })
  const [first, again, other] = changes('one', 'one', 'two')
  expect(again).toBe(first)
  expect(other).toBeGreaterThan(again!)
})

test('figures are those of the edits that are asked for, and a hidden page has painted none', () => {
  const { far } = seen()
  const edits = [arrived(BOB), arrived(BOB, { received: 8, applied: 9, painted: 'hidden', path: 'browser' })]
  for (const edit of edits) far.arrived(edit)
  const [bob] = far.figures(edits.map((edit) => timeline(far, edit)))
  expect(bob).toMatchObject({
    received: { count: 2, max: 8 },
    applied: { count: 2, max: 9 },
    painted: { count: 1, max: 20 },
    hidden: 1,
    paths: { browser: 1, server: 1 },
  })
})

test('who has left is named as long as an edit speaks of it, and forgotten with a reset', () => {
  const { people, far } = seen()
  far.here(TABLET, here())
  far.arrived(arrived(TABLET))
  far.arrived(arrived(BOB))
  const edit = timeline(far, arrived(BOB))
  people.delete(BOB)
  far.arrived(arrived(BOB))
  expect(far.figures([edit])).toMatchObject([
    { id: 'tablet-1', present: true, received: { count: 0 } },
    { id: 'client-2', present: false, person: 'Bob', received: { count: 1 } },
  ])
  expect(far.figures([]).map(({ id }) => id)).toEqual(['tablet-1'])
  const before = far.changes
  far.reset()
  expect(far.changes).toBeGreaterThan(before)
  expect(far.who.map(({ id }) => id)).toEqual(['tablet-1'])
})

test('an own window that has left was an own one', () => {
  const { people, far } = seen()
  far.here(TABLET, here())
  people.delete(TABLET)
  expect(far.who).toMatchObject([{ id: 'tablet-1', own: true, person: 'Ada', present: false }])
})

test('[A6] no more windows are remembered than anybody compares', () => {
  const { far } = seen()
  for (let client = 1; client <= 1_000; client++) far.arrived(arrived(client))
  expect(far.who.length).toBe(200)
  far.arrived(arrived(1, { boundMs: 7 }))
  expect(far.who[0]).toMatchObject({ id: 'client-1', boundMs: 7 })
})
