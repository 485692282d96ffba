/** [F2] The page's own uploads through a link that is cut, and a server that is killed, within every piece. */
import { createHash, randomBytes } from 'node:crypto'
import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { FakeBrowser } from '../../lib/fixtures/fake-browser.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createFileId } from '../../lib/files/file-reference.ts'
import { FileUploads } from '../../lib/files/file-uploads.ts'
import { LocalFiles } from '../../lib/files/local-files.ts'
import { realClock } from '../../lib/session/clock.ts'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { FaultyNetwork } from '../fixtures/faulty-network.ts'
import { KillableServer } from '../fixtures/killable-server.ts'

interface UploadedPiece {
  readonly offset: number
  readonly bytes: number
}

interface PageUploadOptions {
  readonly origin: string
  readonly document: SharedDocument
  /** Runs while a piece is sent for the first time. */
  readonly onPiece: (piece: UploadedPiece) => Promise<void>
}

/** Returns the pieces that were sent, in their order. */
async function uploadAsPage(
  bytes: Buffer<ArrayBuffer>,
  id: string,
  { origin, document, onPiece }: PageUploadOptions,
): Promise<readonly UploadedPiece[]> {
  const window = new FakeBrowser().openWindow()
  const files = new LocalFiles(new IDBFactory())
  const pieces: UploadedPiece[] = []
  const uploads = new FileUploads({
    files,
    channel: window.channel('files'),
    locks: window.locks,
    clock: { ...realClock, after: (ms, run) => realClock.after(ms / 20, run) },
    principal: () => '',
    async request(path, { headers, ...init }) {
      const sent = headers as Record<string, string>
      const authorization = `Bearer ${document.tokens.editor}`
      const answer = fetch(`${origin}${path}`, { ...init, headers: { ...sent, authorization } })
      if (init.method !== 'PATCH') return answer
      const piece = { offset: Number(sent['upload-offset']), bytes: (init.body as Uint8Array).length }
      const isFirst = pieces.every(({ offset }) => offset !== piece.offset)
      pieces.push(piece)
      const [settled] = await Promise.allSettled([answer, isFirst ? onPiece(piece) : null])
      if (settled.status === 'rejected') throw settled.reason
      return settled.value
    },
  })
  await files.add({
    id,
    documents: [document.id],
    principal: '',
    name: 'film.bin',
    type: '',
    bytes: new Blob([bytes]),
    unsent: { [document.id]: 'wanted' },
  })
  uploads.added({ file: id, document: document.id })
  await waitUntil(
    async () => (await files.listUnsent('')).length === 0,
    () => `${pieces.length} pieces`,
  )
  window.crash()
  await files.close()
  return pieces
}

async function expectWhole(
  pieces: readonly UploadedPiece[],
  bytes: Buffer,
  address: { readonly server: KillableServer; readonly document: SharedDocument; readonly id: string },
): Promise<void> {
  const { server, document, id } = address
  const path = `/api/documents/${document.id}/files/${id}`
  const headers = { authorization: `Bearer ${document.tokens.viewer}` }
  const response = await fetch(`${server.origin('http')}${path}`, { headers })
  const sha256 = createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex')
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  const attempts = Map.groupBy(pieces, ({ offset }) => offset)
  for (const [offset, sent] of attempts) expect(sent.length, `the piece at ${offset}`).toBeLessThanOrEqual(2)
}

test('a link that is cut in the middle of each piece: each is sent twice at most', async () => {
  await using server = await KillableServer.start()
  await using network = await FaultyNetwork.startBefore(server)
  const proxy = network.proxy('http')
  const document = await createSharedDocument(server.origin('http'))
  const [bytes, id] = [randomBytes(20_000_000), createFileId()]
  let cuts = 0
  const pieces = await uploadAsPage(bytes, id, {
    origin: network.origins.http,
    document,
    async onPiece(piece) {
      const from = proxy.passedBytes.up
      await waitUntil(() => proxy.passedBytes.up >= from + piece.bytes / 2)
      proxy.cutConnections()
      cuts += 1
    },
  })
  await expectWhole(pieces, bytes, { server, document, id })
  expect(cuts).toBeGreaterThan(20)
})

test('a server that is killed while each piece is sent: each is sent twice at most', async () => {
  await using server = await KillableServer.start()
  const document = await createSharedDocument(server.origin('http'))
  const [bytes, id] = [randomBytes(1_000_000), createFileId()]
  let kills = 0
  const pieces = await uploadAsPage(bytes, id, {
    origin: server.origin('http'),
    document,
    async onPiece() {
      kills += 1
      await server.kill()
      await server.start()
    },
  })
  await expectWhole(pieces, bytes, { server, document, id })
  expect(kills).toBeGreaterThan(3)
}, 300_000)
