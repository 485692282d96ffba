import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silent, temporaryFolder, testConfig } from '../server/fixtures/running.ts'
import { type Shared, shareDocument } from '../server/fixtures/shared-document.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import { type OpenDocument, openOver } from './client.ts'
import { type CourierPowers, deliver, documentParcel, oneAtATime } from './courier.ts'
import type { ChannelPart } from './protocol/channel.ts'
import { FakeBrowser, type FakeBrowserWindow } from './sync/local/fixtures/browser.ts'
import { LocalCopy } from './sync/local/local-copy.ts'
import type { Place } from './sync/local/store.ts'
import { createNet } from './transports/net/node.ts'
import { transports } from './transports/registry.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let shared: Shared
let browser: FakeBrowser
let told: string[]
const net = createNet({})
const nowhere = 'http://localhost:1'

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silent, pages: false })
})
beforeEach(async () => {
  shared = await shareDocument(server)
  browser = new FakeBrowser()
  told = []
})
afterAll(async () => {
  net.dispose()
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

function open(window: FakeBrowserWindow, origin: string, token = shared.token): OpenDocument {
  const { document } = shared
  const local = (place: Place) => new LocalCopy(place, window)
  return openOver({ origin, net, token }, transports, { document, token }, { local })
}

const wordsOf = ({ doc }: OpenDocument) => doc.getText('words')

/** A window that types without a network and is gone. */
async function leave(principal: string, text: string): Promise<void> {
  const window = browser.open(principal)
  const one = open(window, nowhere)
  for (const letter of text) wordsOf(one).insert(wordsOf(one).length, letter)
  await expect.poll(() => one.status.get().unstored).toBe(0)
  window.die()
  await one.close()
}

function courier(origin = server.http, principal = ''): CourierPowers {
  const window = browser.open(principal)
  return {
    store: window.store,
    locks: window.locks,
    principal: () => principal,
    open: (_document, parts) => documentParcel(open(window, origin), parts),
    patienceMs: 2_000,
    onDelivered: (changes) => void told.push(`${changes} sent`),
    onRefused: (changes, why) => void told.push(`${changes} refused: ${why}`),
  }
}

async function textThere(): Promise<string> {
  const reader = open(new FakeBrowser().open(''), server.http)
  await reader.whenSynced
  const text = wordsOf(reader).toJSON()
  await reader.close()
  return text
}

test('[D6] what a closed window could not send goes out from any page, and is told once', async () => {
  await leave('', 'abc')
  const powers = courier()
  await deliver(powers)
  expect(told).toEqual(['3 sent'])
  expect(await textThere()).toBe('abc')
  await expect.poll(() => browser.store.leftovers()).toEqual([])
  await deliver(powers)
  expect(told).toEqual(['3 sent'])
})

test('[D6] comments, too, and with the text in one', async () => {
  const window = browser.open('')
  const one = open(window, nowhere)
  wordsOf(one).insert(0, 'text')
  one.comments.doc.getArray('threads').push(['why?'])
  await expect.poll(() => one.status.get()).toMatchObject({ unsaved: 2, unstored: 0 })
  window.die()
  await one.close()
  await deliver(courier())
  expect(told).toEqual(['2 sent'])
  await expect.poll(() => browser.store.leftovers()).toEqual([])
  const reader = open(new FakeBrowser().open(''), server.http)
  await reader.comments.whenSynced
  expect(reader.comments.doc.getArray('threads').toArray()).toEqual(['why?'])
  await reader.close()
})

test('[D6] where the server cannot be reached it stays, for the next round', async () => {
  await leave('', 'abc')
  await deliver({ ...courier(nowhere), patienceMs: 200 })
  expect(told).toEqual([])
  await deliver(courier())
  await expect.poll(() => browser.store.leftovers()).toEqual([])
  expect(await textThere()).toBe('abc')
})

test('[D6] what another person left is not sent', async () => {
  await leave('user:two', 'abc')
  await deliver(courier(server.http, 'user:one'))
  expect(told).toEqual([])
  expect(await textThere()).toBe('')
})

test('[D6] where the server takes this browser for somebody else, it stays, and is not called refused', async () => {
  await leave('user:one', 'abc')
  await deliver(courier(server.http, 'user:one'))
  expect(told).toEqual([])
  expect(await browser.store.leftovers()).toMatchObject([{ changes: 3, principal: 'user:one' }])
  expect(await textThere()).toBe('')
})

test('[D6] a document that a window has open is left to that window', async () => {
  const window = browser.open('')
  const living = open(window, nowhere)
  wordsOf(living).insert(0, 'mine')
  await expect.poll(() => living.status.get().unstored).toBe(0)
  await deliver(courier())
  expect(told).toEqual([])
  window.die()
  await living.close()
})

test('[D6] what the server refuses is told, kept, and not tried again', async () => {
  await leave('', 'abc')
  const { token } = await shareDocument(server)
  const powers = courier()
  const window = browser.open('')
  const refusing = {
    ...powers,
    open: (_document: string, parts: readonly ChannelPart[]) =>
      documentParcel(open(window, server.http, token), parts),
  }
  await deliver(refusing)
  expect(told).toEqual([expect.stringMatching(/^3 refused: There is no such document/)])
  expect(await browser.store.leftovers()).toEqual([])
  await deliver(powers)
  expect(told).toHaveLength(1)
})

test('[D6] rounds that last longer than the time between two do not queue', async () => {
  let rounds = 0
  const first = Promise.withResolvers<void>()
  const go = oneAtATime(() => (rounds++ === 0 ? first.promise : Promise.resolve()))
  for (let minute = 0; minute < 10; minute++) go()
  expect(rounds).toBe(1)
  first.resolve()
  await first.promise
  await expect
    .poll(() => {
      go()
      return rounds
    })
    .toBeGreaterThan(1)
})
