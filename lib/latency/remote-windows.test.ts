import { expect, test } from 'vitest'
import { RemoteWindows, type PresenceOwner } from './remote-windows.ts'
import type { ClientArrival } from './journal.ts'
import type { IdentityMessage } from './latency-messages.ts'
import type { EditArrival, EditTimeline } from './latency-state.ts'

const [TABLET, BOB] = [1, 2]

/** A tablet of Ada's, who uses this window, and Bob's window. */
function twoPeople() {
  const people = new Map<number, PresenceOwner>([
    [TABLET, { id: 'user:ada', name: 'Ada' }],
    [BOB, { id: 'user:bob', name: 'Bob' }],
  ])
  const remoteWindows = new RemoteWindows({
    ownerOf: (client) => people.get(client),
    isOwn: (client) => people.get(client)?.id === 'user:ada',
    browser: 'this browser',
  })
  return { people, remoteWindows }
}

const identityMessage = (fields: Partial<IdentityMessage> = {}): IdentityMessage => ({
  type: 'identity',
  window: 'tablet-1',
  browser: 'another browser',
  name: 'The tablet',
  device: 'Safari on iPad',
  ...fields,
})

const clientArrival = (client: number, fields: Partial<ClientArrival> = {}): ClientArrival => ({
  client,
  received: 3,
  applied: 4,
  painted: 20,
  path: 'server',
  boundMs: 0.5,
  ...fields,
})

/** An edit as the journal returns it. */
const timeline = (remoteWindows: RemoteWindows, ...arrivals: ClientArrival[]): EditTimeline => ({
  edit: 1,
  key: 0,
  by: 'input',
  made: 0,
  arrivals: arrivals.map(({ client, ...spans }): EditArrival => ({
    window: remoteWindows.idOf(client),
    ...spans,
  })),
})

test('own windows say who they are, and are believed; no other window is', () => {
  const { remoteWindows } = twoPeople()
  remoteWindows.receiveIdentity(TABLET, identityMessage())
  remoteWindows.receiveIdentity(
    BOB,
    identityMessage({ window: 'x', browser: 'this browser', name: 'I am Ada’s' }),
  )
  expect(remoteWindows.identities).toEqual([
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
  remoteWindows.receiveIdentity(TABLET, identityMessage({ browser: 'this browser' }))
  expect([
    remoteWindows.sharesBrowser(TABLET),
    remoteWindows.sharesBrowser(BOB),
    remoteWindows.sharesBrowser(9),
  ]).toEqual([true, false, false])
})

test('an own window that has not said who it is yet still counts as own', () => {
  const { remoteWindows } = twoPeople()
  remoteWindows.recordArrival(clientArrival(TABLET))
  expect(remoteWindows.identities).toMatchObject([{ id: 'client-1', name: '', own: true, boundMs: 0.5 }])
})

test('another name is a change, the same one again is not', () => {
  const { remoteWindows } = twoPeople()
  const changes = (...names: string[]) =>
    names.map((name) => {
      remoteWindows.receiveIdentity(TABLET, identityMessage({ name }))
      return remoteWindows.revision
    })
  const [first, again, other] = changes('one', 'one', 'two')
  expect(again).toBe(first)
  expect(other).toBeGreaterThan(again!)
})

test('figures count the given edits, and a hidden page has painted none', () => {
  const { remoteWindows } = twoPeople()
  const edits = [
    clientArrival(BOB),
    clientArrival(BOB, { received: 8, applied: 9, painted: 'hidden', path: 'browser' }),
  ]
  for (const edit of edits) remoteWindows.recordArrival(edit)
  const [bob] = remoteWindows.figuresOf(edits.map((edit) => timeline(remoteWindows, edit)))
  expect(bob).toMatchObject({
    received: { count: 2, max: 8 },
    applied: { count: 2, max: 9 },
    painted: { count: 1, max: 20 },
    hidden: 1,
    paths: { browser: 1, server: 1 },
  })
})

test('a window that has left is named as long as an edit refers to it, and forgotten with a reset', () => {
  const { people, remoteWindows } = twoPeople()
  remoteWindows.receiveIdentity(TABLET, identityMessage())
  remoteWindows.recordArrival(clientArrival(TABLET))
  remoteWindows.recordArrival(clientArrival(BOB))
  const edit = timeline(remoteWindows, clientArrival(BOB))
  people.delete(BOB)
  remoteWindows.recordArrival(clientArrival(BOB))
  expect(remoteWindows.figuresOf([edit])).toMatchObject([
    { id: 'tablet-1', present: true, received: { count: 0 } },
    { id: 'client-2', present: false, person: 'Bob', received: { count: 1 } },
  ])
  expect(remoteWindows.figuresOf([]).map(({ id }) => id)).toEqual(['tablet-1'])
  const before = remoteWindows.revision
  remoteWindows.reset()
  expect(remoteWindows.revision).toBeGreaterThan(before)
  expect(remoteWindows.identities.map(({ id }) => id)).toEqual(['tablet-1'])
})

test('an own window that has left still counts as own', () => {
  const { people, remoteWindows } = twoPeople()
  remoteWindows.receiveIdentity(TABLET, identityMessage())
  people.delete(TABLET)
  expect(remoteWindows.identities).toMatchObject([
    { id: 'tablet-1', own: true, person: 'Ada', present: false },
  ])
})

test('[A6] the number of windows is limited', () => {
  const { remoteWindows } = twoPeople()
  for (let client = 1; client <= 1_000; client++) remoteWindows.recordArrival(clientArrival(client))
  expect(remoteWindows.identities.length).toBe(200)
  remoteWindows.recordArrival(clientArrival(1, { boundMs: 7 }))
  expect(remoteWindows.identities[0]).toMatchObject({ id: 'client-1', boundMs: 7 })
})
