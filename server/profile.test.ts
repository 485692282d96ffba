/** Tests a person's chosen name on a real server: who receives it, over each transport, and that it survives a restart of the server. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type OpenDesk,
  openDeskOver,
  type OpenDocument,
  openDocumentOver,
  type OpenPart,
} from '../lib/client.ts'
import { readThread, storedThreadsOf } from '../lib/comments/stored-thread.ts'
import { startThread } from '../lib/comments/edit-threads.ts'
import { palette } from '../lib/protocol/palette.ts'
import { createNetWithCookie } from '../lib/transports/net/fixtures/net-with-cookie.ts'
import type { NetworkPlatform } from '../lib/transports/net/net.ts'
import { transports } from '../lib/transports/registry.ts'
import { networkTransports } from '../lib/transports/descriptors.ts'
import type { TransportId } from '../lib/transports/transport.ts'
import { httpClients } from './fixtures/http-clients.ts'
import { testConfig } from './fixtures/test-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { silentLogger } from './fixtures/silent-logger.ts'
import { createDocumentLink } from './fixtures/document-link.ts'
import { type RunningServer, startServer } from './server.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly cookie: string
  readonly net: NetworkPlatform
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let document: string
let ada: Person
let bob: Person
const nets: NetworkPlatform[] = []
const openHandles: (OpenDesk | OpenDocument)[] = []

const startOnFolder = () => startServer(testConfig(folder.path), { log: silentLogger, pages: false })

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startOnFolder()
})
beforeEach(async () => {
  const shared = await createDocumentLink(server)
  document = shared.document
  ada = await createPersonWith(shared.cookie)
  bob = await createPersonWith((await createDocumentLink(server)).cookie)
  const { status } = await sendRequest(bob, 'POST', `/api/documents/${document}/redeem`, {
    token: shared.token,
  })
  expect(status).toBe(200)
})
afterEach(async () => {
  await Promise.all(openHandles.splice(0).map((handle) => handle.close()))
  for (const net of nets.splice(0)) net.dispose()
})
afterAll(async () => {
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

async function createPersonWith(cookie: string): Promise<Person> {
  const net = createNetWithCookie(server.http, cookie)
  nets.push(net)
  const { body } = await sendRequest({ cookie }, 'GET', '/api/me')
  return { ...(JSON.parse(body.toString()) as { id: string; name: string }), cookie, net }
}

function sendRequest({ cookie }: Pick<Person, 'cookie'>, method: string, path: string, body?: unknown) {
  const headers = { origin: server.http, cookie, 'content-type': 'application/json' }
  return httpClients['http/1.1'](server, path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

async function changeProfile(person: Person, change: { name?: string; colour?: string }): Promise<void> {
  const { status, body } = await sendRequest(person, 'PATCH', '/api/me', change)
  expect([status, JSON.parse(body.toString())]).toMatchObject([200, change])
}

/** A window that announces its person, as a page's does. */
async function windowOf(
  { id, name, net }: Person,
  transport: TransportId = 'websocket',
): Promise<OpenDocument> {
  const handle = openDocumentOver({ origin: server.http, net }, transports, { document, transport })
  openHandles.push(handle)
  handle.awareness.setLocalState({ user: { id, name, color: palette.red } })
  await handle.whenSynced
  return handle
}

async function deskOf({ net }: Person): Promise<OpenDesk> {
  const desk = openDeskOver({ origin: server.http, net }, transports, {})
  openHandles.push(desk)
  desk.awareness.setLocalState({ window: { kind: 'text' } })
  await desk.whenSynced
  return desk
}

const alphabetically = (a: string, b: string): number => a.localeCompare(b)

type PresenceHandle = Pick<OpenPart, 'awareness' | 'doc'>

const userSeenBy = (window: PresenceHandle, other: PresenceHandle) =>
  window.awareness.getStates().get(other.doc.clientID)?.user as { name?: string; color?: string } | undefined

test.each(networkTransports)(
  '[W7] a new name and colour reach everybody in the document at once, and everybody who joins later, over %s',
  async (transport) => {
    const [first, second] = [await windowOf(ada, transport), await windowOf(ada)]
    const other = await windowOf(bob, transport)
    await expect.poll(() => userSeenBy(other, first)?.name).toBe(ada.name)
    await changeProfile(ada, { name: 'Ada Wren', colour: 'teal' })
    const expectedUser = { id: ada.id, name: 'Ada Wren', color: palette.teal }
    await expect
      .poll(() => [userSeenBy(other, first), userSeenBy(other, second)])
      .toEqual([expectedUser, expectedUser])
    await expect.poll(() => userSeenBy(second, first)).toEqual(expectedUser)

    const later = await windowOf(bob, transport)
    await expect.poll(() => userSeenBy(later, first)).toEqual(expectedUser)
    // The server also sets the name of a window that does not know the change yet; the colour is the window's own choice.
    first.awareness.setLocalStateField('idle', true)
    await expect
      .poll(() => later.awareness.getStates().get(first.doc.clientID))
      .toMatchObject({ idle: true, user: { name: 'Ada Wren', color: palette.red } })
    expect(userSeenBy(first, other)).toMatchObject({ name: bob.name })
  },
)

test('[W7] the person’s windows on other devices learn of it by their desk', async () => {
  const [localDesk, remoteDesk, other] = [await deskOf(ada), await deskOf(ada), await deskOf(bob)]
  await expect.poll(() => userSeenBy(remoteDesk, localDesk)?.name).toBe(ada.name)
  await changeProfile(ada, { name: 'Ada Wren' })
  await expect.poll(() => userSeenBy(remoteDesk, localDesk)?.name).toBe('Ada Wren')
  await expect.poll(() => userSeenBy(localDesk, remoteDesk)?.name).toBe('Ada Wren')
  expect(other.awareness.getStates().size).toBe(1)
})

test('[A9] a comment is accepted under the new name, and under the former one that its window still had', async () => {
  const [ownWindow, otherWindow] = [await windowOf(ada), await windowOf(bob)]
  const anchor = { from: '', to: '', quote: 'words', before: '', after: '' }
  const writeComment = (name: string, text: string) =>
    startThread(ownWindow.comments.doc, anchor, { id: ada.id, name }, text)
  await ownWindow.comments.whenSynced
  const authorNames = () =>
    [...storedThreadsOf(otherWindow.comments.doc)]
      .map(([id, stored]) => readThread(id, stored)?.messages[0]?.author.name ?? '')
      .toSorted(alphabetically)
  writeComment(ada.name, 'Before.')
  await ownWindow.whenSaved()
  await changeProfile(ada, { name: 'Ada Wren' })
  writeComment('Ada Wren', 'After.')
  writeComment(ada.name, 'On its way meanwhile.')
  await ownWindow.whenSaved()
  await otherWindow.comments.whenSynced
  await expect.poll(authorNames).toEqual(['Ada Wren', ada.name, ada.name].toSorted(alphabetically))
  expect(ownWindow.status.get().refusal).toBe(undefined)

  const readPeople = async () =>
    (
      JSON.parse((await sendRequest(bob, 'GET', `/api/documents/${document}/people`)).body.toString()) as {
        people: unknown
      }
    ).people
  expect(await readPeople()).toEqual([{ id: ada.id, name: 'Ada Wren', colour: null }])

  writeComment(bob.name, 'In somebody else’s name.')
  await expect.poll(() => ownWindow.status.get().refusal?.code).toBe('forbidden')
})

test('a name survives a restart, for presence and for earlier comments', async () => {
  const before = ada.name
  await changeProfile(ada, { name: 'Ada Wren', colour: 'violet' })
  await server.drain()
  server = await startOnFolder()
  ada = { ...(await createPersonWith(ada.cookie)), cookie: ada.cookie }
  bob = { ...(await createPersonWith(bob.cookie)), cookie: bob.cookie }
  expect(ada).toMatchObject({ name: 'Ada Wren', colour: 'violet', asked: true })
  const [ownWindow, otherWindow] = [await windowOf({ ...ada, name: before }), await windowOf(bob)]
  await expect.poll(() => userSeenBy(otherWindow, ownWindow)?.name).toBe('Ada Wren')
  await ownWindow.comments.whenSynced
  const anchor = { from: '', to: '', quote: 'words', before: '', after: '' }
  startThread(ownWindow.comments.doc, anchor, { id: ada.id, name: before }, 'Written before, sent now.')
  await ownWindow.whenSaved()
})
