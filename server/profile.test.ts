/** A name of one's own on a real server: who hears of it, by which way, and that it outlives the server. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenDesk, openDeskOver, type OpenDocument, openOver, type OpenPart } from '../lib/client.ts'
import { readThread, threadsOf } from '../lib/comments/thread.ts'
import { startThread } from '../lib/comments/edit.ts'
import { palette } from '../lib/protocol/palette.ts'
import { netWithCookie } from '../lib/transports/net/fixtures/cookies.ts'
import type { Net } from '../lib/transports/net/net.ts'
import { transports } from '../lib/transports/registry.ts'
import { networkTransports, type TransportId } from '../lib/transports/transport.ts'
import { clients } from './fixtures/clients.ts'
import { silent, temporaryFolder, testConfig } from './fixtures/running.ts'
import { shareDocument } from './fixtures/shared-document.ts'
import { type RunningServer, startServer } from './server.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly cookie: string
  readonly net: Net
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let document: string
let ada: Person
let bob: Person
const nets: Net[] = []
const opened: (OpenDesk | OpenDocument)[] = []

const start = () => startServer(testConfig(folder.path), { log: silent, pages: false })

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await start()
})
beforeEach(async () => {
  const shared = await shareDocument(server)
  document = shared.document
  ada = await personWith(shared.cookie)
  bob = await personWith((await shareDocument(server)).cookie)
  const { status } = await ask(bob, 'POST', `/api/documents/${document}/redeem`, { token: shared.token })
  expect(status).toBe(200)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  for (const net of nets.splice(0)) net.dispose()
})
afterAll(async () => {
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

async function personWith(cookie: string): Promise<Person> {
  const net = netWithCookie(server.http, cookie)
  nets.push(net)
  const { body } = await ask({ cookie }, 'GET', '/api/me')
  return { ...(JSON.parse(body.toString()) as { id: string; name: string }), cookie, net }
}

function ask({ cookie }: Pick<Person, 'cookie'>, method: string, path: string, body?: unknown) {
  const headers = { origin: server.http, cookie, 'content-type': 'application/json' }
  return clients['http/1.1'](server, path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

async function choose(person: Person, change: { name?: string; colour?: string }): Promise<void> {
  const { status, body } = await ask(person, 'PATCH', '/api/me', change)
  expect([status, JSON.parse(body.toString())]).toMatchObject([200, change])
}

/** A window that says who it is, as a page's does. */
async function windowOf(
  { id, name, net }: Person,
  transport: TransportId = 'websocket',
): Promise<OpenDocument> {
  const one = openOver({ origin: server.http, net }, transports, { document, transport })
  opened.push(one)
  one.awareness.setLocalState({ user: { id, name, color: palette.red } })
  await one.whenSynced
  return one
}

async function deskOf({ net }: Person): Promise<OpenDesk> {
  const desk = openDeskOver({ origin: server.http, net }, transports, {})
  opened.push(desk)
  desk.awareness.setLocalState({ window: { kind: 'text' } })
  await desk.whenSynced
  return desk
}

const alphabetically = (a: string, b: string): number => a.localeCompare(b)

type Seen = Pick<OpenPart, 'awareness' | 'doc'>

const seenBy = (window: Seen, other: Seen) =>
  window.awareness.getStates().get(other.doc.clientID)?.user as { name?: string; color?: string } | undefined

test.each(networkTransports)(
  '[W7] a new name and colour reach whoever is in the document at once, and whoever comes later, by %s',
  async (transport) => {
    const [first, second] = [await windowOf(ada, transport), await windowOf(ada)]
    const other = await windowOf(bob, transport)
    await expect.poll(() => seenBy(other, first)?.name).toBe(ada.name)
    await choose(ada, { name: 'Ada Wren', colour: 'teal' })
    const now = { id: ada.id, name: 'Ada Wren', color: palette.teal }
    await expect.poll(() => [seenBy(other, first), seenBy(other, second)]).toEqual([now, now])
    await expect.poll(() => seenBy(second, first)).toEqual(now)

    const later = await windowOf(bob, transport)
    await expect.poll(() => seenBy(later, first)).toEqual(now)
    // What a window says that has not heard of it yet is stamped, too; its colour is its own word.
    first.awareness.setLocalStateField('idle', true)
    await expect
      .poll(() => later.awareness.getStates().get(first.doc.clientID))
      .toMatchObject({ idle: true, user: { name: 'Ada Wren', color: palette.red } })
    expect(seenBy(first, other)).toMatchObject({ name: bob.name })
  },
)

test('[W7] the person’s windows on other devices hear of it by their desk', async () => {
  const [here, there, other] = [await deskOf(ada), await deskOf(ada), await deskOf(bob)]
  await expect.poll(() => seenBy(there, here)?.name).toBe(ada.name)
  await choose(ada, { name: 'Ada Wren' })
  await expect.poll(() => seenBy(there, here)?.name).toBe('Ada Wren')
  await expect.poll(() => seenBy(here, there)?.name).toBe('Ada Wren')
  expect(other.awareness.getStates().size).toBe(1)
})

test('[A9] a comment is taken under the new name, and under the one from before that its window still knew', async () => {
  const [mine, theirs] = [await windowOf(ada), await windowOf(bob)]
  const anchor = { from: '', to: '', quote: 'words', before: '', after: '' }
  const write = (name: string, text: string) =>
    startThread(mine.comments.doc, anchor, { id: ada.id, name }, text)
  await mine.comments.whenSynced
  const names = () =>
    [...threadsOf(theirs.comments.doc)]
      .map(([id, stored]) => readThread(id, stored)?.messages[0]?.author.name ?? '')
      .toSorted(alphabetically)
  write(ada.name, 'Before.')
  await mine.whenSaved()
  await choose(ada, { name: 'Ada Wren' })
  write('Ada Wren', 'After.')
  write(ada.name, 'On its way meanwhile.')
  await mine.whenSaved()
  await theirs.comments.whenSynced
  await expect.poll(names).toEqual(['Ada Wren', ada.name, ada.name].toSorted(alphabetically))
  expect(mine.status.get().refusal).toBe(undefined)

  const people = async () =>
    (
      JSON.parse((await ask(bob, 'GET', `/api/documents/${document}/people`)).body.toString()) as {
        people: unknown
      }
    ).people
  expect(await people()).toEqual([{ id: ada.id, name: 'Ada Wren', colour: null }])

  write(bob.name, 'In somebody else’s name.')
  await expect.poll(() => mine.status.get().refusal?.code).toBe('forbidden')
})

test('a name outlives the server, for presence and for comments from before', async () => {
  const before = ada.name
  await choose(ada, { name: 'Ada Wren', colour: 'violet' })
  await server.drain()
  server = await start()
  ada = { ...(await personWith(ada.cookie)), cookie: ada.cookie }
  bob = { ...(await personWith(bob.cookie)), cookie: bob.cookie }
  expect(ada).toMatchObject({ name: 'Ada Wren', colour: 'violet', asked: true })
  const [mine, theirs] = [await windowOf({ ...ada, name: before }), await windowOf(bob)]
  await expect.poll(() => seenBy(theirs, mine)?.name).toBe('Ada Wren')
  await mine.comments.whenSynced
  const anchor = { from: '', to: '', quote: 'words', before: '', after: '' }
  startThread(mine.comments.doc, anchor, { id: ada.id, name: before }, 'Written before, sent now.')
  await mine.whenSaved()
})
