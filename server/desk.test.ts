/** A person's desk on a real server: who may have which, by which way, and what this device keeps of it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDesk, openDeskOver, type OpenDocument, openOver, type OpenPart } from '../lib/client.ts'
import { FIGURE, waitOf } from '../lib/protocol/lab.ts'
import { AskRefused } from '../lib/session/asks.ts'
import { FakeBrowser, type FakeBrowserWindow } from '../lib/sync/local/fixtures/browser.ts'
import { LocalCopy } from '../lib/sync/local/local-copy.ts'
import type { Place } from '../lib/sync/local/store.ts'
import { netWithCookie } from '../lib/transports/net/fixtures/cookies.ts'
import type { Net } from '../lib/transports/net/net.ts'
import { createNet } from '../lib/transports/net/node.ts'
import { transports } from '../lib/transports/registry.ts'
import { networkTransports, type TransportId } from '../lib/transports/transport.ts'
import { silent, temporaryFolder, testConfig } from './fixtures/running.ts'
import { type Shared, shareDocument } from './fixtures/shared-document.ts'
import { type RunningServer, startServer } from './server.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
const nets: Net[] = []
const opened: (OpenDesk | OpenDocument)[] = []

interface Person extends Omit<Shared, 'cookie'> {
  readonly net: Net
}

let ada: Person
let bob: Person

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silent, pages: false })
})
beforeEach(async () => {
  ada = await person()
  bob = await person()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  for (const net of nets.splice(0)) net.dispose()
})
afterAll(async () => {
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

async function person(): Promise<Person> {
  const { cookie, ...shared } = await shareDocument(server)
  const net = netWithCookie(server.http, cookie)
  nets.push(net)
  return { ...shared, net }
}

const localIn = (window?: FakeBrowserWindow) =>
  window && { local: (place: Place) => new LocalCopy(place, window) }

function deskOf({ net }: Person, window?: FakeBrowserWindow, transport?: TransportId): OpenDesk {
  const target = { origin: server.http, net }
  const desk = openDeskOver(target, transports, transport ? { transport } : {}, localIn(window))
  opened.push(desk)
  return desk
}

function documentOf({ net, document }: Person, window?: FakeBrowserWindow): OpenDocument {
  const one = openOver({ origin: server.http, net }, transports, { document }, localIn(window))
  opened.push(one)
  return one
}

const settings = ({ doc }: OpenPart) => doc.getMap<unknown>('settings')
const theme = (desk: OpenPart) => settings(desk).get('theme')

test.each(['websocket', 'sse'] as const)('a desk is its person’s alone, by %s', async (transport) => {
  const [here, there, other] = [deskOf(ada, undefined, transport), deskOf(ada), deskOf(bob)]
  await Promise.all([here, there, other].map(({ whenSynced }) => whenSynced))
  settings(here).set('theme', 'dark')
  await here.whenSaved()
  await expect.poll(() => theme(there)).toBe('dark')
  expect(theme(other)).toBe(undefined)
  expect(here.status.get()).toEqual({ state: 'synced', role: 'owner' })
})

test('beside a document it is the same one', async () => {
  const [alone, document] = [deskOf(ada), documentOf(ada)]
  await Promise.all([alone.whenSynced, document.desk!.whenSynced])
  settings(document.desk!).set('theme', 'dark')
  await expect.poll(() => theme(alone)).toBe('dark')
})

test('[A4] who came by a link’s token alone has none, and asking for it hurts nothing', async () => {
  const net = createNet({})
  nets.push(net)
  const { document, token } = ada
  const one = openOver({ origin: server.http, net, token }, transports, { document, token })
  opened.push(one)
  expect(one.desk).toBe(null)
  const desk = openDeskOver({ origin: server.http, net, token }, transports, {})
  opened.push(desk)
  await expect(desk.whenSynced).rejects.toThrow('A link has no desk; a person has one.')
  await one.whenSynced
})

test('[W7] who a window is, the server says: a forged id and name are replaced', async () => {
  const [mine, theirs] = [documentOf(ada), documentOf({ ...ada, net: bob.net })]
  await mine.whenSynced
  const net = createNet({})
  nets.push(net)
  const { document, token } = ada
  const program = openOver({ origin: server.http, net, token }, transports, { document, token })
  opened.push(program)
  await program.whenSynced
  await expect(theirs.whenSynced).rejects.toThrow('There is no such document')
  program.awareness.setLocalState({ user: { id: 'user:ada', name: 'Ada', color: 'red' } })
  mine.awareness.setLocalState({ user: { id: 'user:bob', name: 'Bob' } })
  const userOf = (seenBy: OpenDocument, of: OpenDocument) =>
    seenBy.awareness.getStates().get(of.doc.clientID)?.user as { id: string; name: string } | undefined
  await expect.poll(() => userOf(mine, program)?.name).toBe('Ada')
  expect(userOf(mine, program)).toEqual({ id: expect.stringMatching(/^link:/), name: 'Ada', color: 'red' })
  await expect.poll(() => userOf(program, mine)?.id).toMatch(/^user:\w{20,}$/)
  expect(userOf(program, mine)!.name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
})

describe('[D6] what this device keeps of it', () => {
  test('is there before the server answers', async () => {
    const browser = new FakeBrowser()
    const first = deskOf(ada, browser.open(''))
    await first.whenSynced
    settings(first).set('theme', 'dark')
    await first.whenSaved()
    await expect.poll(async () => (await browser.store.copies()).map(({ part }) => part)).toEqual(['desk'])
    const { principal } = (await browser.store.copies())[0]!
    await first.close()
    const nowhere = { ...ada, net: netWithCookie('http://localhost:1', '') }
    nets.push(nowhere.net)
    const offline = openDeskOver(
      { origin: 'http://localhost:1', net: nowhere.net },
      transports,
      {},
      localIn(browser.open(principal)),
    )
    opened.push(offline)
    await offline.whenShown
    expect([offline.status.get().state, theme(offline)]).toEqual(['local', 'dark'])
  })

  test('is not shown to the next person of the browser, nor mixed with theirs', async () => {
    const browser = new FakeBrowser()
    const first = deskOf(ada, browser.open(''))
    await first.whenSynced
    settings(first).set('theme', 'dark')
    await first.whenSaved()
    await expect.poll(async () => (await browser.store.copies()).length).toBe(1)
    await first.close()
    const second = deskOf(bob, browser.open('user:somebody else'))
    await second.whenSynced
    expect(settings(second).size).toBe(0)
  })

  test('where the server takes this browser for somebody else it is given up, and the document goes on', async () => {
    const browser = new FakeBrowser()
    const first = deskOf(ada, browser.open(''))
    await first.whenSynced
    settings(first).set('theme', 'dark')
    await expect.poll(async () => (await browser.store.copies()).length).toBe(1)
    const { principal } = (await browser.store.copies())[0]!
    await first.close()
    const document = documentOf(bob, browser.open(principal))
    await expect(document.desk!.whenSynced).rejects.toThrow('someone else has signed in here since')
    await document.whenSynced
    document.doc.getText('words').insert(0, 'text')
    await document.whenSaved()
    expect(document.status.get()).toMatchObject({ link: { state: 'up' }, unsaved: 0 })
  })
})

// At the same time: the quickest that the first seeds have is a second.
test('[S11] a page asks within its session, by each transport', async () => {
  const asked = { chart: 17, seed: quickSeed(17) }
  const asksBy = async (transport: TransportId): Promise<void> => {
    const desk = deskOf(ada, undefined, transport)
    expect(await desk.ask(FIGURE, asked)).toMatchObject({ chart: 17, waitedMs: waitOf(asked) })
    await expect(desk.ask('the weather', {})).rejects.toThrow(AskRefused)
    expect(desk.transport).toMatchObject({ transport })
  }
  await Promise.all(networkTransports.map(asksBy))
})

const quickSeed = (chart: number): number =>
  Array.from({ length: 100 }, (_, seed) => seed).reduce((best, seed) =>
    waitOf({ chart, seed }) < waitOf({ chart, seed: best }) ? seed : best,
  )
