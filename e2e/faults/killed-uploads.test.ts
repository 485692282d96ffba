/** [F2] A large upload through a server that is killed within every piece: nothing is lost, and a piece is sent twice at most. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { createFileId } from '../../lib/files/file-reference.ts'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { mountSmallDisk } from './fixtures/small-disk.ts'

const MIB = 1024 * 1024
const FILE_BYTES = 100 * 1000 * 1000
const PIECE_BYTES = 5 * MIB

class Uploader {
  readonly #server: KillableServer
  readonly #document: SharedDocument
  readonly #id = createFileId()
  sentBytes = 0

  constructor(server: KillableServer, document: SharedDocument) {
    this.#server = server
    this.#document = document
  }

  get #headers() {
    return { authorization: `Bearer ${this.#document.tokens.editor}`, 'tus-resumable': '1.0.0' }
  }

  get #files(): string {
    return `${this.#server.origin('http')}/api/documents/${this.#document.id}/files`
  }

  async begin(bytes: number): Promise<void> {
    const metadata = `id ${Buffer.from(this.#id).toString('base64')}`
    const headers = {
      ...this.#headers,
      'upload-length': String(bytes),
      'upload-metadata': metadata,
    }
    expect((await fetch(this.#files, { method: 'POST', headers })).status).toBe(201)
  }

  async offset(): Promise<number> {
    const { headers } = await fetch(`${this.#files}/${this.#id}`, { method: 'HEAD', headers: this.#headers })
    return Number(headers.get('upload-offset'))
  }

  /** Sends a piece, and calls `onHalf` when half of it has left. Returns the status, or null for a connection that is lost. */
  async send(offset: number, piece: Buffer, onHalf?: () => Promise<void>): Promise<number | null> {
    const sent = request(`${this.#files}/${this.#id}`, {
      method: 'PATCH',
      agent: false,
      headers: {
        ...this.#headers,
        'content-type': 'application/offset+octet-stream',
        'content-length': piece.length,
        'upload-offset': offset,
      },
    })
    const answer = once(sent, 'response').then(
      ([response]) => (response as { statusCode: number }).statusCode,
      () => null,
    )
    sent.on('error', () => {})
    this.sentBytes += piece.length
    const half = Math.floor(piece.length / 2)
    await new Promise((resolve) => sent.write(piece.subarray(0, half), resolve))
    await onHalf?.()
    sent.end(piece.subarray(half))
    return answer
  }

  async sha256(): Promise<string> {
    const response = await fetch(`${this.#files}/${this.#id}`, { headers: this.#headers })
    const hash = createHash('sha256')
    for await (const chunk of response.body!) hash.update(chunk)
    return hash.digest('hex')
  }
}

const mostMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024

test('100 MB through a server that is killed in the middle of each piece', async () => {
  await using server = await KillableServer.start()
  const document = await createSharedDocument(server.origin('http'))
  const uploader = new Uploader(server, document)
  const bytes = randomBytes(FILE_BYTES)
  await uploader.begin(bytes.length)
  let kills = 0
  for (let offset = 0; offset < bytes.length; offset = await uploader.offset()) {
    const piece = bytes.subarray(offset, offset + PIECE_BYTES)
    // Each piece is killed once, and goes through with the next attempt.
    await uploader.send(offset, piece, () => server.kill())
    kills += 1
    await server.start()
    const kept = await uploader.offset()
    expect(kept).toBeGreaterThanOrEqual(offset)
    expect(kept).toBeLessThanOrEqual(offset + piece.length)
    expect(await uploader.send(kept, bytes.subarray(kept, offset + PIECE_BYTES))).toBe(204)
  }
  expect(await uploader.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(kills).toBe(Math.ceil(FILE_BYTES / PIECE_BYTES))
  expect(uploader.sentBytes).toBeLessThanOrEqual(bytes.length + kills * PIECE_BYTES)
}, 300_000)

test('[A6] a full disk is answered as one, and the upload goes on once there is room', async ({ skip }) => {
  await using disk = await mountSmallDisk(48 * MIB)
  if (!disk.mounted && process.env.CI === undefined) skip('this user may not mount a small disk')
  await using server = await KillableServer.start({
    folder: disk.folder,
    environment: { RESERVED_DISK: 'off' },
  })
  const uploader = new Uploader(server, await createSharedDocument(server.origin('http')))
  const bytes = randomBytes(20 * MIB)
  await uploader.begin(bytes.length)
  expect(await uploader.send(0, bytes.subarray(0, PIECE_BYTES))).toBe(204)
  await disk.fill()
  expect(await uploader.send(PIECE_BYTES, bytes.subarray(PIECE_BYTES))).toBe(507)
  await disk.empty()
  const offset = await uploader.offset()
  expect(offset).toBeGreaterThanOrEqual(PIECE_BYTES)
  expect(await uploader.send(offset, bytes.subarray(offset))).toBe(204)
  expect(await uploader.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('[A6] 100 MB in one piece and back, again and again, take no memory of their length', async ({
  annotate,
}) => {
  await using server = await KillableServer.start({ environment: { LIMIT_WORK: 'off' } })
  const document = await createSharedDocument(server.origin('http'))
  const bytes = randomBytes(FILE_BYTES)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const memory: number[] = []
  for (let round = 0; round < 4; round++) {
    const uploader = new Uploader(server, document)
    await uploader.begin(bytes.length)
    expect(await uploader.send(0, bytes)).toBe(204)
    expect(await uploader.sha256()).toBe(sha256)
    memory.push(mostMemory(server.pid))
  }
  await annotate(`at most ${memory.map((most) => Math.round(most / MIB)).join(', ')} MiB`)
  // What the first round left to be collected counts for all.
  expect(memory.at(-1)! - memory[0]!).toBeLessThan(FILE_BYTES / 2)
  expect(memory.at(-1)!).toBeLessThan(3 * FILE_BYTES)
})
