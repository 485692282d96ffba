import { expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import {
  type FixtureWindow,
  type FixtureWindowOptions,
  SessionFixture,
  textOf,
  type,
} from '../sessions/fixtures/session-fixture.ts'
import { SessionNodes } from './fixtures/session-nodes.ts'

async function openNodes(names?: readonly string[]) {
  const nodes = await SessionNodes.listen(names)
  return { nodes, fixture: await SessionFixture.open({}, nodes.createSessions) }
}

async function openWindow(
  fixture: SessionFixture,
  name: string,
  options?: FixtureWindowOptions,
): Promise<FixtureWindow> {
  const window = fixture.openWindow(name, options)
  await window.whenSynced
  return window
}

const isUp = (window: FixtureWindow) => () => window.status.get().link.state === 'up'

const countOf = (nodes: SessionNodes) =>
  Object.fromEntries(nodes.nodes.map(({ name, sessions }) => [name, sessions.count]))

/** The messages that open a part: a session that goes on sends none. */
const attaches = ({ network }: FixtureWindow): number =>
  network.clientMessageTypes.filter((each) => each === 'attach').length

test('[S10] [S3] a link that comes in at another node resumes its session, and nothing is sent anew', async () => {
  const { nodes, fixture } = await openNodes()
  nodes.entrance = 'a'
  const ada = await openWindow(fixture, 'ada')
  nodes.entrance = 'b'
  const bob = await openWindow(fixture, 'bob')
  const before = attaches(ada)
  type(ada, 'one ')
  ada.network.cut()
  type(ada, 'two')
  await ada.whenSaved()
  await waitUntil(() => textOf(bob) === 'one two')
  expect(nodes.entrances.at(-1)).toBe('b')
  expect(countOf(nodes)).toEqual({ a: 1, b: 1 })
  expect(attaches(ada)).toBe(before)
  type(bob, ' three')
  await waitUntil(() => textOf(ada) === 'one two three')
})

test('[S4] switching twenty times in mid-word from node to node loses and doubles no letter, and is never without a link', async () => {
  const { nodes, fixture } = await openNodes()
  const [ada, bob] = [
    await openWindow(fixture, 'ada'),
    await openWindow(fixture, 'bob', { transport: 'sse' }),
  ]
  const gaps = { count: 0 }
  for (const window of [ada, bob])
    window.status.subscribe(() => {
      if (window.status.get().link.state !== 'up') gaps.count += 1
    })
  let letters = 0
  const typing = setInterval(() => {
    type(ada, `a${letters} `)
    bob.doc.getText('other').insert(0, `b${letters++} `)
  }, 1)
  for (let turn = 0; turn < 20; turn++) {
    const [up, down]: readonly TransportId[] = turn % 2 === 0 ? ['sse', 'websocket'] : ['websocket', 'sse']
    nodes.entrance = turn % 3 === 0 ? 'a' : 'b'
    await Promise.all([ada.switchTransport(up!), bob.switchTransport(down!)])
  }
  clearInterval(typing)
  await Promise.all([ada.whenSaved(), bob.whenSaved()])
  const numbers = Array.from({ length: letters }, (_, number) => number)
  const title = numbers.map((number) => `a${number} `).join('')
  const other = numbers.map((number) => `b${number} `).toReversed()
  await waitUntil(() => textOf(bob) === title && ada.doc.getText('other').toJSON() === other.join(''))
  expect(gaps.count).toBe(0)
  expect((await fixture.readStored()).getText('title').toJSON()).toBe(title)
  expect(fixture.sessions.count).toBe(2)
})

// The rooms do not know that the node is gone: its sessions have their client ids still (A5).
test.each([
  ['a person’s window goes', {}],
  ['that of a link’s token, and its client id with it, goes', { isByLink: true }],
])(
  '[S3] where a session’s node is killed, %s on at another, with its text and its unsaved edits',
  async (_who, options) => {
    const { nodes, fixture } = await openNodes()
    nodes.entrance = 'a'
    const ada = await openWindow(fixture, 'ada', options)
    const { clientID } = ada.doc
    nodes.entrance = 'b'
    const bob = await openWindow(fixture, 'bob')
    type(ada, 'one ')
    await waitUntil(() => textOf(bob) === 'one ')
    nodes.node('a').kill()
    type(ada, 'two')
    await ada.whenSaved()
    await waitUntil(() => textOf(bob) === 'one two')
    expect(nodes.node('b').sessions.count).toBe(2)
    expect(ada.doc.clientID).toBe(clientID)
  },
)

test.each(['killed', 'gone'] as const)(
  '[S3] a forwarded link ends when the session’s node is %s, and the window goes on at the node that it has',
  async (fate) => {
    const { nodes, fixture } = await openNodes()
    nodes.entrance = 'a'
    const ada = await openWindow(fixture, 'ada')
    nodes.entrance = 'b'
    ada.network.cut()
    type(ada, 'one ')
    await ada.whenSaved()
    expect(countOf(nodes)).toEqual({ a: 1, b: 0 })
    if (fate === 'killed') nodes.node('a').kill()
    else nodes.register.remove('a')
    type(ada, 'two')
    await ada.whenSaved()
    expect(nodes.node('b').sessions.count).toBe(1)
    expect((await fixture.readStored()).getText('title').toJSON()).toBe('one two')
  },
)

test('[A2] a session of another node is not resumed by another principal: it gets a session of its own, where it came in', async () => {
  const { nodes, fixture } = await openNodes()
  nodes.entrance = 'a'
  const ada = await openWindow(fixture, 'ada')
  type(ada, 'one')
  await ada.whenSaved()
  ada.signInAs('eve')
  nodes.entrance = 'b'
  ada.network.cut()
  await waitUntil(() => nodes.node('b').sessions.count === 1)
  expect(nodes.node('a').sessions.count).toBe(1)
})

test('[S8] a node that drains sends its windows away, and takes no link that another forwards: they go on elsewhere after one retry', async () => {
  const { nodes, fixture } = await openNodes()
  nodes.entrance = 'a'
  const windows = await Promise.all(
    Array.from({ length: 10 }, (_, number) => openWindow(fixture, `window ${number}`)),
  )
  nodes.entrance = 'b'
  const forwarded = windows.slice(0, 5)
  for (const { network } of forwarded) network.cut()
  await waitUntil(() => nodes.entrances.filter((name) => name === 'b').length === 5)
  for (const window of windows) await waitUntil(isUp(window))
  nodes.entrances.length = 0
  for (const window of windows) type(window, 'x')
  await nodes.node('a').sessions.drain()
  await Promise.all(windows.map((window) => window.whenSaved()))
  for (const window of windows) await waitUntil(isUp(window))
  expect(nodes.entrances).toEqual(Array.from({ length: 10 }, () => 'b'))
  expect(nodes.node('b').sessions.count).toBe(10)
  await waitUntil(() => windows.every((window) => textOf(window) === 'x'.repeat(10)))
  expect((await fixture.readStored()).getText('title').toJSON()).toBe('x'.repeat(10))
})
