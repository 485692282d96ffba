/** [F2] Files of a device go up whole, once, whatever is cut, closed or refused on the way: over a real server, from windows of one browser. */
import { createHash, randomBytes } from 'node:crypto'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { FileClient } from '../../server/api/fixtures/file-client.ts'
import { CuttingProxy } from '../../server/fixtures/cutting-proxy.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import type { SharedDocument } from '../../server/fixtures/shared-document.ts'
import { FakeBrowser, type FakeBrowserWindow } from '../fixtures/fake-browser.ts'
import { realClock } from '../session/clock.ts'
import { createFileId } from './file-reference.ts'
import { FileUploads, type UploadStatus } from './file-uploads.ts'
import { LocalFiles } from './local-files.ts'
import { triesAll } from '../fixtures/runs.ts'

let server: RealServer
let document: SharedDocument
let browser: FakeBrowser
let factory: IDBFactory
const windows: FakeBrowserWindow[] = []
const databases: LocalFiles[] = []

beforeAll(async () => {
  server = await RealServer.start({ environment: { LIMIT_FILE: '20' } })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  document = await server.createDocument()
  browser = new FakeBrowser()
  factory = new IDBFactory()
})
afterEach(async () => {
  for (const window of windows.splice(0)) window.crash()
  for (const database of databases.splice(0)) await database.close()
})

interface TestWindow {
  readonly window: FakeBrowserWindow
  readonly files: LocalFiles
  readonly uploads: FileUploads
  /** The bytes of all pieces that were sent. */
  sentBytes: number
  crash(): void
}

interface WindowOptions {
  readonly origin?: () => string
  readonly token?: () => string
  /** Runs before each request. A response that it returns is one of a proxy, and the server gets no request. */
  readonly onRequest?: (init: RequestInit, path: string) => unknown
}

function openWindow({
  origin = () => server.origin('http'),
  token,
  onRequest,
}: WindowOptions = {}): TestWindow {
  const window = browser.openWindow()
  const files = new LocalFiles(factory)
  const closing = new AbortController()
  windows.push(window)
  databases.push(files)
  const opened: TestWindow = {
    window,
    files,
    sentBytes: 0,
    crash() {
      closing.abort()
      window.crash()
    },
    uploads: new FileUploads({
      files,
      channel: window.channel('files'),
      locks: window.locks,
      clock: { ...realClock, after: (ms, run) => realClock.after(ms / 20, run) },
      principal: () => 'user:ann',
      async request(path, { headers, signal, ...init }) {
        const answer = await onRequest?.(init, path)
        if (answer instanceof Response) return answer
        if (init.method === 'PATCH') opened.sentBytes += (init.body as Uint8Array).length
        return fetch(`${origin()}${path}`, {
          ...init,
          headers: {
            ...(headers as Record<string, string>),
            authorization: `Bearer ${token?.() ?? document.tokens.editor}`,
          },
          signal: AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]),
        })
      },
    }),
  }
  return opened
}

async function addFile(
  { files, uploads }: TestWindow,
  bytes: Uint8Array<ArrayBuffer>,
  id = createFileId(),
): Promise<string> {
  await files.add({
    id,
    documents: [document.id],
    principal: 'user:ann',
    name: 'A “plan”.bin',
    type: 'application/octet-stream',
    bytes: new Blob([bytes]),
    unsent: { [document.id]: 'wanted' },
  })
  uploads.added({ file: id, document: document.id })
  return id
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Null for a file that the document does not have. */
async function storedSha256(id: string, of = document): Promise<string | null> {
  const { status, body } = await new FileClient(server, of.id).call({ token: of.tokens.viewer }, 'GET', id)
  return status === 200 ? sha256Of(body) : null
}

const waitForFile = (id: string, bytes: Uint8Array, of = document): Promise<void> =>
  vi.waitFor(async () => expect(await storedSha256(id, of)).toBe(sha256Of(bytes)), {
    timeout: 55_000,
    interval: 20,
  })

function watch({ uploads }: TestWindow, file: string): (UploadStatus | null)[] {
  const heard: (UploadStatus | null)[] = []
  uploads.watch({ file, document: document.id }, (status) => heard.push(status))
  return heard
}

const waitForState = (heard: readonly (UploadStatus | null)[], state: string | null): Promise<void> =>
  vi.waitFor(() => expect(heard.at(-1)?.state ?? null).toBe(state), { timeout: 55_000, interval: 5 })

test('a file goes up in growing pieces, is sent once, and every window hears of it', async () => {
  const [one, two] = [openWindow(), openWindow()]
  const bytes = randomBytes(5_000_000)
  const id = await addFile(one, bytes)
  const heard = watch(two, id)
  await waitForFile(id, bytes)
  await waitForState(heard, null)
  expect(heard.some((status) => status?.state === 'uploading' && status.received > 0)).toBe(true)
  expect(one.sentBytes).toBe(bytes.length)
  expect(await one.files.listUnsent('user:ann')).toEqual([])
  // Nobody sends it once more.
  two.uploads.start()
  await vi.waitFor(() => expect(browser.locks.isHeld('diptych:uploads')).toBe(false))
  expect(two.sentBytes).toBe(0)
})

test('an empty file goes up, and one without a name', async () => {
  const id = await addFile(openWindow(), new Uint8Array(0))
  await waitForFile(id, new Uint8Array(0))
})

test.runIf(triesAll)(
  'a link that is cut again and again loses nothing, and what has arrived is not sent again',
  async () => {
    const PIECE = 64 * 1024
    await using proxy = new CuttingProxy(server.origin('http'), 1.5 * PIECE)
    const origin = await proxy.listen()
    const one = openWindow({ origin: () => origin })
    const bytes = randomBytes(1_000_000)
    const id = await addFile(one, bytes)
    await waitForFile(id, bytes)
    expect(proxy.cuts).toBeGreaterThan(5)
    // A cut costs what its connection had carried of a piece.
    expect(proxy.passedBytes).toBeLessThan(bytes.length + proxy.cuts * 1.5 * PIECE + PIECE)
  },
)

test('a window that crashes within a piece has another one go on where the server is', async () => {
  const reached = Promise.withResolvers<void>()
  let pieces = 0
  const one = openWindow({
    async onRequest({ method }) {
      if (method !== 'PATCH' || ++pieces < 3) return
      reached.resolve()
      await new Promise(() => {})
    },
  })
  const bytes = randomBytes(8_000_000)
  const two = openWindow()
  const id = await addFile(one, bytes)
  await reached.promise
  one.crash()
  await waitForFile(id, bytes)
  expect(two.sentBytes).toBe(bytes.length - one.sentBytes)
})

test('a server that restarts in the middle is gone on with, and one that forgot the upload gets it anew', async () => {
  let isStopped = false
  const one = openWindow({
    async onRequest({ method }) {
      if (method !== 'PATCH' || one.sentBytes === 0 || isStopped) return
      isStopped = true
      await server.stop()
      await server.start()
    },
  })
  const bytes = randomBytes(3_000_000)
  const id = await addFile(one, bytes)
  await waitForFile(id, bytes)
  expect(one.sentBytes).toBe(bytes.length)

  let isForgotten = false
  const two = openWindow({
    async onRequest({ method }) {
      if (method !== 'PATCH' || two.sentBytes === 0 || isForgotten) return
      isForgotten = true
      await new FileClient(server, document.id).tus({ token: document.tokens.editor }, 'DELETE', lost)
    },
  })
  const others = randomBytes(3_000_000)
  const lost: string = await addFile(two, others)
  await waitForFile(lost, others)
})

test('what was added without a network goes up from the next window, once there is one', async () => {
  const nowhere = 'http://127.0.0.1:1'
  const one = openWindow({ origin: () => nowhere })
  const bytes = randomBytes(10_000)
  const id = await addFile(one, bytes)
  const heard = watch(one, id)
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ state: 'waiting', isCut: true }))
  one.crash()
  const two = openWindow()
  const heardByTwo = watch(two, id)
  await waitForState(heardByTwo, 'waiting')
  two.uploads.start()
  await waitForFile(id, bytes)
  await waitForState(heardByTwo, null)
})

test('a window that sent a file and could not say so leaves no other one waiting', async () => {
  const [one, two] = [openWindow({ origin: () => 'http://127.0.0.1:1' }), openWindow()]
  const id = await addFile(one, randomBytes(1_000))
  const heard = watch(two, id)
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ state: 'waiting', isCut: true }))
  await one.files.setUnsent(id, document.id, null)
  one.crash()
  await waitForState(heard, null)
})

test('an upload is cancelled from another window, and goes up when somebody asks again', async () => {
  const hold = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const one = openWindow({
    onRequest({ method }) {
      if (method !== 'PATCH') return
      reached.resolve()
      return hold.promise
    },
  })
  const two = openWindow()
  const bytes = randomBytes(100_000)
  const id = await addFile(one, bytes)
  const heard = watch(one, id)
  await reached.promise
  await two.uploads.cancel({ file: id, document: document.id })
  hold.resolve()
  await waitForState(heard, 'cancelled')
  await vi.waitFor(() => expect(browser.locks.isHeld('diptych:uploads')).toBe(false))
  expect(await storedSha256(id)).toBeNull()
  // It stays so for windows to come.
  const three = openWindow()
  three.uploads.start()
  await waitForState(watch(three, id), 'cancelled')
  await three.uploads.retry({ file: id, document: document.id })
  await waitForFile(id, bytes)
  await waitForState(heard, null)
})

test('a file that is too large fails with the server’s reason, and holds up no other', async () => {
  const one = openWindow()
  const large = await addFile(one, new Uint8Array(21 * 1024 * 1024))
  const heard = watch(one, large)
  const bytes = randomBytes(1_000)
  const small = await addFile(one, bytes)
  await waitForFile(small, bytes)
  await waitForState(heard, 'failed')
  expect(heard.at(-1)).toMatchObject({ reason: expect.stringContaining('20 MB') })
  expect(one.sentBytes).toBe(bytes.length)
})

test('a file whose pieces never arrive holds up no other, and goes up once they do', async () => {
  let stuck = ''
  const one = openWindow({
    onRequest({ method }, path) {
      if (method === 'PATCH' && path.endsWith(`/${stuck}`)) throw new TypeError('the connection was reset')
    },
  })
  const [first, second] = [randomBytes(1_000), randomBytes(1_000)]
  // Files are sent in the order of their ids.
  const ids = [createFileId(), createFileId()].toSorted()
  stuck = ids[0]!
  await addFile(one, first, ids[0])
  await addFile(one, second, ids[1])
  await waitForFile(ids[1]!, second)
  expect(await storedSha256(ids[0]!)).toBeNull()
  stuck = 'no file'
  await waitForFile(ids[0]!, first)
})

test('a proxy that refuses pieces of some size gets smaller ones, and no larger ones after that', async () => {
  const sizes: number[] = []
  const one = openWindow({
    onRequest({ method, body }) {
      if (method !== 'PATCH') return null
      const { length } = body as Uint8Array
      sizes.push(length)
      return length > 300_000 ? new Response(null, { status: 413 }) : null
    },
  })
  const bytes = randomBytes(2_000_000)
  const id = await addFile(one, bytes)
  const heard = watch(one, id)
  await waitForFile(id, bytes)
  await waitForState(heard, null)
  expect(heard.some((status) => status?.state === 'failed')).toBe(false)
  expect(sizes.filter((length) => length > 300_000)).toEqual([1024 * 1024, 512 * 1024])
  expect(one.sentBytes).toBe(bytes.length)
})

test('who may not write any more is told so, and keeps the file', async () => {
  let token = document.tokens.viewer
  const one = openWindow({ token: () => token })
  const bytes = randomBytes(1_000)
  const id = await addFile(one, bytes)
  const heard = watch(one, id)
  await waitForState(heard, 'failed')
  expect(heard.at(-1)).toMatchObject({ reason: expect.stringContaining('stays on this device') })
  expect(await one.files.get(id, '')).toBeDefined()
  token = document.tokens.editor
  await one.uploads.retry({ file: id, document: document.id })
  await waitForFile(id, bytes)
})

test('[A6] a text that names a file of another document has it sent nowhere, until the person puts it there', async () => {
  const one = openWindow()
  const bytes = randomBytes(1_000)
  const id = await addFile(one, bytes)
  await waitForFile(id, bytes)
  const other = await server.createDocument()
  await one.files.get(id, other.id)
  one.uploads.start()
  expect(await one.files.listUnsent('user:ann')).toEqual([])
  expect(await one.files.listUnsent('user:ben')).toEqual([])
})
