import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silent, temporaryFolder, testConfig } from '../../server/fixtures/running.ts'
import { type Shared, shareDocument } from '../../server/fixtures/shared-document.ts'
import { type RunningServer, startServer } from '../../server/server.ts'
import { type OpenDocument, openOver } from '../client.ts'
import { FrameJoiner } from '../protocol/envelope.ts'
import { paths } from '../protocol/http.ts'
import { readClientMessages } from '../protocol/message.ts'
import { RecordDecoder } from '../protocol/records.ts'
import type { FetchInit } from '../transports/net/net.ts'
import { createNet } from '../transports/net/node.ts'
import { transports } from '../transports/registry.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let shared: Shared
let one: OpenDocument
let asked: FetchInit[]
/** Its link takes nothing any more. */
let mute: boolean
const net = createNet({})

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silent, pages: false })
  shared = await shareDocument(server)
})
beforeEach(async () => {
  asked = []
  mute = false
  const watched = {
    ...net,
    fetch: (url: string, init: FetchInit) => {
      const { pathname } = new URL(url)
      if (pathname === paths.farewell) asked.push(init)
      return mute && pathname === paths.up ? new Promise<Response>(() => {}) : net.fetch(url, init)
    },
  }
  one = openOver({ origin: server.http, net: watched, token: shared.token }, transports, shared)
  await one.whenSynced
})
afterAll(async () => {
  net.dispose()
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

const type = (text: string) => one.doc.getText('words').insert(0, text)

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

test('[D6] a page that goes says in one request that outlives it what is unsent', async () => {
  type('a')
  type('b')
  one.leave()
  expect(asked.map(({ method, keepalive }) => [method, keepalive])).toEqual([['POST', true]])
  expect(messagesIn(asked[0]!)).toEqual(['hello', 'edit', 'edit', 'bye'])
  await one.close()
})

test('[D6] of comments, too, in the same request', async () => {
  const reader = openOver({ origin: server.http, net, token: shared.token }, transports, shared)
  await Promise.all([one.comments.whenSynced, reader.comments.whenSynced])
  await one.switchTransport('long-poll')
  mute = true
  one.comments.doc.getArray('threads').push(['why?'])
  type('a')
  one.leave()
  expect(messagesIn(asked[0]!)).toEqual(['hello', 'edit', 'edit', 'bye'])
  await expect.poll(() => reader.comments.doc.getArray('threads').toArray()).toEqual(['why?'])
  await Promise.all([one.close(), reader.close()])
})

test('[D6] where everything is saved, and after the end, nothing is said', async () => {
  type('a')
  await one.whenSaved()
  one.leave()
  await one.close()
  one.leave()
  expect(asked).toEqual([])
})

test('[D6] what is too much for such a request waits on this device', async () => {
  type('x'.repeat(70_000))
  one.leave()
  expect(asked).toEqual([])
  await one.close()
})

test('[D6] the server takes the last request as it takes a link', async () => {
  const reader = openOver({ origin: server.http, net, token: shared.token }, transports, shared)
  await reader.whenSynced
  await one.switchTransport('long-poll')
  mute = true
  type('last words')
  one.leave()
  await expect.poll(() => reader.doc.getText('words').toJSON()).toMatch(/^last words/)
  await Promise.all([one.close(), reader.close()])
})
