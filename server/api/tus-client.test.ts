/** [A6] The client of the protocol's own authors uploads files, whatever is cut on the way. */
import { randomBytes } from 'node:crypto'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileId } from '../../lib/files/file-reference.ts'
import { CuttingProxy } from '../fixtures/cutting-proxy.ts'
import { RealServer } from '../fixtures/real-server.ts'
import type { SharedDocument } from '../fixtures/shared-document.ts'
import { FileClient } from './fixtures/file-client.ts'

let server: RealServer
let document: SharedDocument

beforeEach(async () => {
  server = await RealServer.start()
  document = await server.createDocument()
})
afterEach(() => server[Symbol.asyncDispose]())

const CHUNK_BYTES = 256 * 1024

/** Returns the id of the file. */
async function uploadFrom(origin: string, bytes: Buffer, options: UploadOptions = {}): Promise<string> {
  const id = createFileId()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(bytes, {
    endpoint: `${origin}/api/documents/${document.id}/files`,
    headers: { authorization: `Bearer ${document.tokens.editor}` },
    metadata: { id, filename: 'A “plan”.png' },
    chunkSize: CHUNK_BYTES,
    // As many as the test has time for: a server may take long to start beside others.
    retryDelays: Array.from({ length: 1_000 }, () => 50),
    onSuccess: () => resolve(),
    onError: reject,
    ...options,
  })
  upload.start()
  await promise
  return id
}

const read = async (id: string): Promise<Buffer> =>
  (await new FileClient(server, document.id).call({ token: document.tokens.viewer }, 'GET', id)).body

test('takes a file in one piece and in many, and an empty one', async () => {
  const origin = server.origin('http')
  const bytes = randomBytes(1_000_000)
  expect((await read(await uploadFrom(origin, bytes))).equals(bytes)).toBe(true)
  expect((await read(await uploadFrom(origin, bytes, { chunkSize: Infinity }))).equals(bytes)).toBe(true)
})

test('a link that is cut within each piece costs less than a piece', async () => {
  const bytes = randomBytes(3_000_000)
  await using proxy = new CuttingProxy(server.origin('http'), 1.5 * CHUNK_BYTES)
  const id = await uploadFrom(await proxy.listen(), bytes)
  expect((await read(id)).equals(bytes)).toBe(true)
  expect(proxy.cuts).toBeGreaterThan(5)
  // What is on its way when the link is cut is lost; what came before is not sent again.
  expect(proxy.passedBytes).toBeLessThan(bytes.length + proxy.cuts * CHUNK_BYTES)
})

test('a server that starts anew after each piece goes on where it was', async () => {
  const bytes = randomBytes(4 * CHUNK_BYTES)
  let sent = 0
  let restarts = Promise.resolve()
  let count = 0
  const uploading = uploadFrom(server.origin('http'), bytes, {
    onChunkComplete(chunkBytes) {
      sent += chunkBytes
      if (sent === bytes.length) return
      count += 1
      restarts = restarts.then(() => server.stop()).then(() => server.start())
    },
  })
  // A restart that is under way ends before the test does, also where the upload fails.
  const [uploaded] = await Promise.allSettled([uploading])
  await restarts
  expect(uploaded.status).toBe('fulfilled')
  const id = await uploading
  expect(count).toBe(3)
  expect((await read(id)).equals(bytes)).toBe(true)
})

test('ends an upload', async () => {
  const endpoint = `${server.origin('http')}/api/documents/${document.id}/files`
  const headers = { authorization: `Bearer ${document.tokens.editor}` }
  const ended = Promise.withResolvers<void>()
  const upload = new Upload(randomBytes(4 * CHUNK_BYTES), {
    endpoint,
    headers,
    metadata: { filename: 'a' },
    chunkSize: CHUNK_BYTES,
    onChunkComplete: () => void upload.abort(true).then(() => ended.resolve(), ended.reject),
  })
  upload.start()
  await ended.promise
  const { uploads } = (await (await fetch(endpoint, { headers })).json()) as { uploads: unknown[] }
  expect(uploads).toEqual([])
})
