import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testConfig } from '../server/fixtures/test-server.ts'
import { temporaryFolder } from '../server/fixtures/temporary-folder.ts'
import { silentLogger } from '../server/fixtures/silent-logger.ts'
import { type DocumentLink, createDocumentLink } from '../server/fixtures/document-link.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import { type OpenDocument, openDocumentOver } from './client.ts'
import { type BackgroundSyncPlatform, sendUnsavedRows, backgroundDocumentOf } from './send-unsaved-rows.ts'
import type { ChannelPart } from './protocol/channel-messages.ts'
import { FakeStorageBrowser, type FakeStorageWindow } from './sync/local/fixtures/fake-storage-browser.ts'
import { LocalCopy } from './sync/local/local-copy.ts'
import type { PartKey } from './sync/local/local-records.ts'
import { createNet } from './transports/net/node.ts'
import { transports } from './transports/registry.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let shared: DocumentLink
let browser: FakeStorageBrowser
let outcomes: string[]
const net = createNet({})
const unreachableOrigin = 'http://localhost:1'

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silentLogger, pages: false })
})
beforeEach(async () => {
  shared = await createDocumentLink(server)
  browser = new FakeStorageBrowser()
  outcomes = []
})
afterAll(async () => {
  net.dispose()
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

function open(window: FakeStorageWindow, origin: string, token = shared.token): OpenDocument {
  const { document } = shared
  const local = (key: PartKey) => new LocalCopy(key, window)
  return openDocumentOver({ origin, net, token }, transports, { document, token }, { local })
}

const textOf = ({ doc }: OpenDocument) => doc.getText('words')

/** A window in which somebody types without a network, and which is then gone. */
async function typeAndLeave(principal: string, text: string): Promise<void> {
  const window = browser.openWindow(principal)
  const one = open(window, unreachableOrigin)
  for (const letter of text) textOf(one).insert(textOf(one).length, letter)
  await expect.poll(() => one.status.get().unstored).toBe(0)
  window.crash()
  await one.close()
}

function platformOf(origin = server.http, principal = ''): BackgroundSyncPlatform {
  const window = browser.openWindow(principal)
  return {
    records: window.store,
    locks: window.locks,
    principal: () => principal,
    open: async (_document, parts) => backgroundDocumentOf(open(window, origin), parts),
    timeoutMs: 2_000,
    onSent: (changes) => void outcomes.push(`${changes} sent`),
    onRefused: (changes, why) => void outcomes.push(`${changes} refused: ${why}`),
  }
}

async function textOnServer(): Promise<string> {
  const reader = open(new FakeStorageBrowser().openWindow(''), server.http)
  await reader.whenSynced
  const text = textOf(reader).toJSON()
  await reader.close()
  return text
}

test('[D6] any page sends what a closed window could not send, and reports it once', async () => {
  await typeAndLeave('', 'abc')
  const platform = platformOf()
  await sendUnsavedRows(platform)
  expect(outcomes).toEqual(['3 sent'])
  expect(await textOnServer()).toBe('abc')
  await expect.poll(() => browser.store.listUnsavedRows()).toEqual([])
  await sendUnsavedRows(platform)
  expect(outcomes).toEqual(['3 sent'])
})

test('[D6] comments are sent together with the text', async () => {
  const window = browser.openWindow('')
  const one = open(window, unreachableOrigin)
  textOf(one).insert(0, 'text')
  one.comments.doc.getArray('threads').push(['why?'])
  await expect.poll(() => one.status.get()).toMatchObject({ unsaved: 2, unstored: 0 })
  window.crash()
  await one.close()
  await sendUnsavedRows(platformOf())
  expect(outcomes).toEqual(['2 sent'])
  await expect.poll(() => browser.store.listUnsavedRows()).toEqual([])
  const reader = open(new FakeStorageBrowser().openWindow(''), server.http)
  await reader.comments.whenSynced
  expect(reader.comments.doc.getArray('threads').toArray()).toEqual(['why?'])
  await reader.close()
})

test('[D6] unsent rows stay for the next round if the server cannot be reached', async () => {
  await typeAndLeave('', 'abc')
  await sendUnsavedRows({ ...platformOf(unreachableOrigin), timeoutMs: 200 })
  expect(outcomes).toEqual([])
  await sendUnsavedRows(platformOf())
  await expect.poll(() => browser.store.listUnsavedRows()).toEqual([])
  expect(await textOnServer()).toBe('abc')
})

test('[D6] what another person left is not sent', async () => {
  await typeAndLeave('user:two', 'abc')
  await sendUnsavedRows(platformOf(server.http, 'user:one'))
  expect(outcomes).toEqual([])
  expect(await textOnServer()).toBe('')
})

test('[D6] unsent rows stay, and do not count as refused, if the server takes this browser for somebody else', async () => {
  await typeAndLeave('user:one', 'abc')
  await sendUnsavedRows(platformOf(server.http, 'user:one'))
  expect(outcomes).toEqual([])
  expect(await browser.store.listUnsavedRows()).toMatchObject([{ changes: 3, principal: 'user:one' }])
  expect(await textOnServer()).toBe('')
})

test('[D6] a document that a window has open is left to that window', async () => {
  const window = browser.openWindow('')
  const living = open(window, unreachableOrigin)
  textOf(living).insert(0, 'mine')
  await expect.poll(() => living.status.get().unstored).toBe(0)
  await sendUnsavedRows(platformOf())
  expect(outcomes).toEqual([])
  window.crash()
  await living.close()
})

test('[D6] what the server refuses is reported, stored, and not tried again', async () => {
  await typeAndLeave('', 'abc')
  const { token } = await createDocumentLink(server)
  const platform = platformOf()
  const window = browser.openWindow('')
  const refusing = {
    ...platform,
    open: async (_document: string, parts: readonly ChannelPart[]) =>
      backgroundDocumentOf(open(window, server.http, token), parts),
  }
  await sendUnsavedRows(refusing)
  expect(outcomes).toEqual([expect.stringMatching(/^3 refused: There is no such document/)])
  expect(await browser.store.listUnsavedRows()).toEqual([])
  await sendUnsavedRows(platform)
  expect(outcomes).toHaveLength(1)
})
