/** A person's desk on a real server: who may open which, over each transport, and what this device stores of it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type OpenDesk,
  openDeskOver,
  type OpenDocument,
  openDocumentOver,
  type OpenPart,
} from '../lib/client.ts'
import { FIGURE_REQUEST, figureWaitMs } from '../lib/protocol/lab.ts'
import { RequestRefused } from '../lib/session/session-requests.ts'
import {
  FakeStorageBrowser,
  type FakeStorageWindow,
} from '../lib/sync/local/fixtures/fake-storage-browser.ts'
import { LocalCopy } from '../lib/sync/local/local-copy.ts'
import type { PartKey } from '../lib/sync/local/local-records.ts'
import { createNetWithCookie } from '../lib/transports/net/fixtures/net-with-cookie.ts'
import type { NetworkPlatform } from '../lib/transports/net/net.ts'
import { createNet } from '../lib/transports/net/node.ts'
import { transports } from '../lib/transports/registry.ts'
import { networkTransports } from '../lib/transports/descriptors.ts'
import type { TransportId } from '../lib/transports/transport.ts'
import { testConfig } from './fixtures/test-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { silentLogger } from './fixtures/silent-logger.ts'
import { type DocumentLink, createDocumentLink } from './fixtures/document-link.ts'
import { type RunningServer, startServer } from './server.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
const nets: NetworkPlatform[] = []
const openHandles: (OpenDesk | OpenDocument)[] = []

interface Person extends Omit<DocumentLink, 'cookie'> {
  readonly net: NetworkPlatform
}

let ada: Person
let bob: Person

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silentLogger, pages: false })
})
beforeEach(async () => {
  ada = await createPerson()
  bob = await createPerson()
})
afterEach(async () => {
  await Promise.all(openHandles.splice(0).map((handle) => handle.close()))
  for (const net of nets.splice(0)) net.dispose()
})
afterAll(async () => {
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

async function createPerson(): Promise<Person> {
  const { cookie, ...shared } = await createDocumentLink(server)
  const net = createNetWithCookie(server.http, cookie)
  nets.push(net)
  return { ...shared, net }
}

const localStoreIn = (window?: FakeStorageWindow) =>
  window && { local: (partKey: PartKey) => new LocalCopy(partKey, window) }

function deskOf({ net }: Person, window?: FakeStorageWindow, transport?: TransportId): OpenDesk {
  const target = { origin: server.http, net }
  const desk = openDeskOver(target, transports, transport ? { transport } : {}, localStoreIn(window))
  openHandles.push(desk)
  return desk
}

function documentOf({ net, document }: Person, window?: FakeStorageWindow): OpenDocument {
  const handle = openDocumentOver(
    { origin: server.http, net },
    transports,
    { document },
    localStoreIn(window),
  )
  openHandles.push(handle)
  return handle
}

const settingsOf = ({ doc }: OpenPart) => doc.getMap<unknown>('settings')
const readTheme = (desk: OpenPart) => settingsOf(desk).get('theme')

test.each(['websocket', 'sse'] as const)('a desk belongs to its person alone, over %s', async (transport) => {
  const [localDesk, remoteDesk, other] = [deskOf(ada, undefined, transport), deskOf(ada), deskOf(bob)]
  await Promise.all([localDesk, remoteDesk, other].map(({ whenSynced }) => whenSynced))
  settingsOf(localDesk).set('theme', 'dark')
  await localDesk.whenSaved()
  await expect.poll(() => readTheme(remoteDesk)).toBe('dark')
  expect(readTheme(other)).toBe(undefined)
  expect(localDesk.status.get()).toEqual({ state: 'synced', role: 'owner' })
})

test('a desk opened beside a document is the same desk', async () => {
  const [alone, document] = [deskOf(ada), documentOf(ada)]
  await Promise.all([alone.whenSynced, document.desk!.whenSynced])
  settingsOf(document.desk!).set('theme', 'dark')
  await expect.poll(() => readTheme(alone)).toBe('dark')
})

test('[A4] a share link’s principal has no desk, and a request for one does no harm', async () => {
  const net = createNet({})
  nets.push(net)
  const { document, token } = ada
  const handle = openDocumentOver({ origin: server.http, net, token }, transports, { document, token })
  openHandles.push(handle)
  expect(handle.desk).toBe(null)
  const desk = openDeskOver({ origin: server.http, net, token }, transports, {})
  openHandles.push(desk)
  await expect(desk.whenSynced).rejects.toThrow('A link has no desk; a person has one.')
  await handle.whenSynced
})

test('[W7] the server sets a window’s identity: a forged id and name are replaced', async () => {
  const [ownWindow, otherWindow] = [documentOf(ada), documentOf({ ...ada, net: bob.net })]
  await ownWindow.whenSynced
  const net = createNet({})
  nets.push(net)
  const { document, token } = ada
  const program = openDocumentOver({ origin: server.http, net, token }, transports, { document, token })
  openHandles.push(program)
  await program.whenSynced
  await expect(otherWindow.whenSynced).rejects.toThrow('There is no such document')
  program.awareness.setLocalState({ user: { id: 'user:ada', name: 'Ada', color: 'red' } })
  ownWindow.awareness.setLocalState({ user: { id: 'user:bob', name: 'Bob' } })
  const userOf = (viewer: OpenDocument, of: OpenDocument) =>
    viewer.awareness.getStates().get(of.doc.clientID)?.user as { id: string; name: string } | undefined
  await expect.poll(() => userOf(ownWindow, program)?.name).toBe('Ada')
  expect(userOf(ownWindow, program)).toEqual({
    id: expect.stringMatching(/^link:/),
    name: 'Ada',
    color: 'red',
  })
  await expect.poll(() => userOf(program, ownWindow)?.id).toMatch(/^user:\w{20,}$/)
  expect(userOf(program, ownWindow)!.name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
})

describe('[D6] the desk’s copy on this device', () => {
  test('is there before the server answers', async () => {
    const browser = new FakeStorageBrowser()
    const first = deskOf(ada, browser.openWindow(''))
    await first.whenSynced
    settingsOf(first).set('theme', 'dark')
    await first.whenSaved()
    await expect
      .poll(async () => (await browser.store.listCopies()).map(({ part }) => part))
      .toEqual(['desk'])
    const { principal } = (await browser.store.listCopies())[0]!
    await first.close()
    const unreachablePerson = { ...ada, net: createNetWithCookie('http://localhost:1', '') }
    nets.push(unreachablePerson.net)
    const offline = openDeskOver(
      { origin: 'http://localhost:1', net: unreachablePerson.net },
      transports,
      {},
      localStoreIn(browser.openWindow(principal)),
    )
    openHandles.push(offline)
    await offline.whenShown
    expect([offline.status.get().state, readTheme(offline)]).toEqual(['local', 'dark'])
  })

  test('is not shown to the browser’s next person, nor mixed with theirs', async () => {
    const browser = new FakeStorageBrowser()
    const first = deskOf(ada, browser.openWindow(''))
    await first.whenSynced
    settingsOf(first).set('theme', 'dark')
    await first.whenSaved()
    await expect.poll(async () => (await browser.store.listCopies()).length).toBe(1)
    await first.close()
    const second = deskOf(bob, browser.openWindow('user:somebody else'))
    await second.whenSynced
    expect(settingsOf(second).size).toBe(0)
  })

  test('is dropped where the server identifies this browser as another person, and the document continues', async () => {
    const browser = new FakeStorageBrowser()
    const first = deskOf(ada, browser.openWindow(''))
    await first.whenSynced
    settingsOf(first).set('theme', 'dark')
    await expect.poll(async () => (await browser.store.listCopies()).length).toBe(1)
    const { principal } = (await browser.store.listCopies())[0]!
    await first.close()
    const document = documentOf(bob, browser.openWindow(principal))
    await expect(document.desk!.whenSynced).rejects.toThrow('someone else has signed in here since')
    await document.whenSynced
    document.doc.getText('words').insert(0, 'text')
    await document.whenSaved()
    expect(document.status.get()).toMatchObject({ link: { state: 'up' }, unsaved: 0 })
  })
})

// These run concurrently: the shortest wait of the first seeds is a second.
test('[S11] a page sends requests within its session, over each transport', async () => {
  const figureRequest = { chart: 17, seed: quickSeed(17) }
  const requestBy = async (transport: TransportId): Promise<void> => {
    const desk = deskOf(ada, undefined, transport)
    expect(await desk.sendRequest(FIGURE_REQUEST, figureRequest)).toMatchObject({
      chart: 17,
      waitedMs: figureWaitMs(figureRequest),
    })
    await expect(desk.sendRequest('the weather', {})).rejects.toThrow(RequestRefused)
    expect(desk.transport).toMatchObject({ transport })
  }
  await Promise.all(networkTransports.map(requestBy))
})

const quickSeed = (chart: number): number =>
  Array.from({ length: 100 }, (_, seed) => seed).reduce((best, seed) =>
    figureWaitMs({ chart, seed }) < figureWaitMs({ chart, seed: best }) ? seed : best,
  )
