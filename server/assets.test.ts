import { mkdir, readdir, readlink, rename, writeFile } from 'node:fs/promises'
import http2 from 'node:http2'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAssetHandler, serveNoAssets } from './assets.ts'
import { certificateFor } from './certificate.ts'
import { createRequestRouter } from './request-router.ts'
import { httpClients } from './fixtures/http-clients.ts'
import { echoRouting, testConfig } from './fixtures/test-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { silentLogger } from './fixtures/silent-logger.ts'
import type { Listener } from './listener.ts'
import { startListener } from './listener.ts'

const script = 'export const words = "many"\n'.repeat(1000)
const chunk = '/_next/static/chunks/app-1a2b.js'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let removableFile: string
let listener: Listener
let server: { http: string; https: string }

beforeAll(async () => {
  folder = await temporaryFolder()
  const assets = join(folder.path, 'assets')
  await mkdir(join(assets, '_next/static/chunks'), { recursive: true })
  await writeFile(join(assets, chunk), script)
  await writeFile(join(assets, `${chunk}.br`), brotliCompressSync(script))
  await writeFile(join(assets, 'icon.svg'), '<svg/>')
  removableFile = join(assets, 'removable.js')
  await writeFile(removableFile, 'removable')
  await writeFile(join(assets, 'big.js'), Buffer.alloc(8 * 1024 * 1024, 'x'))
  const config = testConfig(folder.path)
  listener = await startListener(config, await certificateFor(config), silentLogger)
  const https = { httpsPort: listener.httpsPort, publicUrl: null }
  listener.setRouter(
    createRequestRouter({
      ...echoRouting,
      assets: createAssetHandler(assets),
      pages: null,
      https,
    }),
  )
  server = { http: `http://localhost:${listener.port}`, https: `https://localhost:${listener.httpsPort}` }
})
afterAll(async () => {
  await listener.close(0)
  await folder[Symbol.asyncDispose]()
})

describe.each(Object.entries(httpClients))('assets over %s', (_client, sendRequest) => {
  test('that a build has removed since the start break their own response and nothing else', async () => {
    await rename(removableFile, `${removableFile}.away`)
    const answer = sendRequest(server, '/removable.js').then(({ status, body }) => [status, body.length])
    await expect(answer).rejects.toThrow()
    await rename(`${removableFile}.away`, removableFile)
    expect((await sendRequest(server, '/removable.js')).body.toString()).toBe('removable')
  })

  test('are sent as brotli where that is accepted, and may be cached for good', async () => {
    const { status, headers, body } = await sendRequest(server, chunk, {
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript',
      'content-encoding': 'br',
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(String(brotliDecompressSync(body))).toBe(script)
  })

  test('are sent uncompressed otherwise, also for a range request', async () => {
    for (const range of ['bytes=0-3', 'bytes=9-2', 'bytes=x'])
      expect(String((await sendRequest(server, chunk, { headers: { range } })).body)).toBe(script)
  })

  test('HEAD has the headers alone', async () => {
    const { status, headers, body } = await sendRequest(server, chunk, { method: 'HEAD' })
    expect([status, headers['content-length'], body.length]).toEqual([200, String(script.length), 0])
  })

  test('a file that the client has is not sent again', async () => {
    const { etag } = (await sendRequest(server, chunk)).headers
    expect((await sendRequest(server, chunk, { headers: { 'if-none-match': String(etag) } })).status).toBe(
      304,
    )
  })

  test('are revalidated each time without a hash in the name', async () => {
    const { headers } = await sendRequest(server, '/icon.svg')
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=0, must-revalidate',
    })
  })

  test.each(['/missing.js', `${chunk}.br`, '/../leaf-key.pem', '/%2e%2e/tls/leaf-key.pem', '/_next/static'])(
    '%s is not among them',
    async (path) => {
      expect((await sendRequest(server, path)).status).toBe(404)
    },
  )
})

test.runIf(process.platform === 'linux')(
  'a client that goes away in the middle leaves no file open',
  async () => {
    const session = http2.connect(server.https, { rejectUnauthorized: false })
    const streams = Array.from({ length: 5 }, () => session.request({ ':path': '/big.js' }))
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('response', resolve))))
    await expect.poll(openBigFiles).toBeGreaterThan(0)
    session.destroy()
    await expect.poll(openBigFiles).toBe(0)
  },
)

test('without a build there are no assets', () => {
  expect(createAssetHandler('/nowhere')).toBe(serveNoAssets)
})

async function openBigFiles(): Promise<number> {
  const descriptors = await readdir('/proc/self/fd')
  const files = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  )
  return files.filter((file) => file.endsWith('/big.js')).length
}
