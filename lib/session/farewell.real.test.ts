import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testConfig } from '../../server/fixtures/test-server.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { silentLogger } from '../../server/fixtures/silent-logger.ts'
import { type DocumentLink, createDocumentLink } from '../../server/fixtures/document-link.ts'
import { type RunningServer, startServer } from '../../server/server.ts'
import { type OpenDocument, openDocumentOver } from '../client.ts'
import { FrameJoiner } from '../protocol/framing.ts'
import { paths } from '../protocol/http.ts'
import { readClientMessages } from '../protocol/message.ts'
import { RecordDecoder } from '../protocol/record-decoder.ts'
import type { FetchInit } from '../transports/net/net.ts'
import { createNet } from '../transports/net/node.ts'
import { transports } from '../transports/registry.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let shared: DocumentLink
let document: OpenDocument
let farewellRequests: FetchInit[]
/** The window’s link accepts no more frames. */
let isMute: boolean
const net = createNet({})

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silentLogger, pages: false })
  shared = await createDocumentLink(server)
})
beforeEach(async () => {
  farewellRequests = []
  isMute = false
  const observedNet = {
    ...net,
    fetch: (url: string, init: FetchInit) => {
      const { pathname } = new URL(url)
      if (pathname === paths.farewell) farewellRequests.push(init)
      return isMute && pathname === paths.up ? new Promise<Response>(() => {}) : net.fetch(url, init)
    },
  }
  document = openDocumentOver(
    { origin: server.http, net: observedNet, token: shared.token },
    transports,
    shared,
  )
  await document.whenSynced
})
afterAll(async () => {
  net.dispose()
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

const type = (text: string) => document.doc.getText('words').insert(0, text)

function messagesIn({ body }: FetchInit): string[] {
  const joiner = new FrameJoiner()
  const messages: string[] = []
  const decoder = new RecordDecoder({
    onFrame: (frame) => {
      for (const { type } of readClientMessages(joiner.push(frame)!)) messages.push(type)
    },
    onControl: () => {},
  })
  decoder.push(body as Uint8Array<ArrayBuffer>)
  return messages
}

test('[D6] a page that goes sends its unsaved edits in one request that outlives it', async () => {
  type('a')
  type('b')
  document.leave()
  expect(farewellRequests.map(({ method, keepalive }) => [method, keepalive])).toEqual([['POST', true]])
  expect(messagesIn(farewellRequests[0]!)).toEqual(['hello', 'edit', 'edit', 'bye'])
  await document.close()
})

test('[D6] comments are sent in the same request', async () => {
  const reader = openDocumentOver({ origin: server.http, net, token: shared.token }, transports, shared)
  await Promise.all([document.comments.whenSynced, reader.comments.whenSynced])
  await document.switchTransport('long-poll')
  isMute = true
  document.comments.doc.getArray('threads').push(['why?'])
  type('a')
  document.leave()
  expect(messagesIn(farewellRequests[0]!)).toEqual(['hello', 'edit', 'edit', 'bye'])
  await expect.poll(() => reader.comments.doc.getArray('threads').toArray()).toEqual(['why?'])
  await Promise.all([document.close(), reader.close()])
})

test('[D6] nothing is sent if everything is saved, or after the end', async () => {
  type('a')
  await document.whenSaved()
  document.leave()
  await document.close()
  document.leave()
  expect(farewellRequests).toEqual([])
})

test('[D6] edits too large for such a request wait on this device', async () => {
  type('x'.repeat(70_000))
  document.leave()
  expect(farewellRequests).toEqual([])
  await document.close()
})

test('[D6] the server accepts the last request under the rules of a link', async () => {
  const reader = openDocumentOver({ origin: server.http, net, token: shared.token }, transports, shared)
  await reader.whenSynced
  await document.switchTransport('long-poll')
  isMute = true
  type('last words')
  document.leave()
  await expect.poll(() => reader.doc.getText('words').toJSON()).toMatch(/^last words/)
  await Promise.all([document.close(), reader.close()])
})
