/** [F2] [F5] Two nodes with one PostgreSQL and one folder of files, each request at the next of them. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Upload } from 'tus-js-client'
import { expect, test } from 'vitest'
import { createFileId } from '../../lib/files/file-reference.ts'
import { FileClient } from '../../server/api/fixtures/file-client.ts'
import type { RealServer } from '../../server/fixtures/real-server.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { RealNodes } from '../fixtures/real-nodes.ts'

const CHUNK_BYTES = 256 * 1024

async function startNodes() {
  const folder = await temporaryFolder()
  const nodes = await RealNodes.start({ FILES_DIR: folder.path })
  return {
    nodes,
    async [Symbol.asyncDispose]() {
      await nodes[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

describePostgres('files on two nodes', () => {
  test('a file that one node took is read at the other, and goes when a right is taken away there', async () => {
    await using started = await startNodes()
    const [first, second] = started.nodes.nodes as [RealServer, RealServer]
    const shared = await first.createDocument()
    const editor = { token: shared.tokens.editor }
    const bytes = randomBytes(32 * 1024 * 1024)
    const id = await new FileClient(first, shared.id).upload(editor, bytes)
    const read = await new FileClient(second, shared.id).call(editor, 'GET', id)
    expect(read.body.equals(bytes)).toBe(true)

    const url = `${second.origin('http')}/api/documents/${shared.id}/files/${id}`
    const headers = { authorization: `Bearer ${editor.token}` }
    const download = request(url, { headers, agent: false }).end()
    const [answer] = (await once(download, 'response')) as [IncomingMessage]
    const origin = first.origin('http')
    const owner = { cookie: shared.cookie, origin }
    const links = `${origin}/api/documents/${shared.id}/links`
    const list = (await (await fetch(links, { headers: owner })).json()) as { links: { id: string }[] }
    for (const link of list.links) await fetch(`${links}/${link.id}`, { method: 'DELETE', headers: owner })
    await expect(buffer(answer)).rejects.toThrow('aborted')
  })

  test('an upload whose requests go to both nodes in turn arrives whole', async () => {
    await using started = await startNodes()
    const { nodes } = started
    const shared = await nodes.createDocument()
    const bytes = randomBytes(4 * CHUNK_BYTES)
    const headers = { authorization: `Bearer ${shared.tokens.editor}` }
    const endpoint = `${nodes.origin('http')}/api/documents/${shared.id}/files`
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const upload = new Upload(bytes, {
      endpoint,
      headers,
      chunkSize: CHUNK_BYTES,
      retryDelays: Array.from({ length: 1_000 }, () => 20),
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
    await promise
    const got = Buffer.from(await (await fetch(upload.url!, { headers })).arrayBuffer())
    expect(createHash('sha256').update(got).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    )
  })

  test('an upload goes on at its node when that has started anew, and begins anew elsewhere when it is gone', async () => {
    await using started = await startNodes()
    const [first, second] = started.nodes.nodes as [RealServer, RealServer]
    const shared = await first.createDocument()
    const editor = { token: shared.tokens.editor }
    const [here, there] = [new FileClient(first, shared.id), new FileClient(second, shared.id)]
    const bytes = randomBytes(100_000)
    const id = createFileId()
    await here.begin(editor, bytes.length, id)
    await here.append(editor, id, 0, bytes.subarray(0, 60_000))
    const offsetThere = async () => (await there.tus(editor, 'HEAD', id)).headers['upload-offset']
    expect(await offsetThere()).toBe('60000')
    await first.stop()
    await expect.poll(offsetThere).toBe('0')
    await first.start()
    await expect.poll(offsetThere).toBe('60000')
    await first.stop()
    await expect.poll(offsetThere).toBe('0')
    expect((await there.append(editor, id, 0, bytes)).status).toBe(204)
    expect((await there.call(editor, 'GET', id)).body.equals(bytes)).toBe(true)
  })
})
