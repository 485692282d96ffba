/** [F2] [F4] [F5] Files of a document are sent and taken by its rights, over each protocol, and no type is believed but that of the bytes. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFileId } from '../../lib/files/file-reference.ts'
import { httpClients } from '../fixtures/http-clients.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { REFUSED_BODY_GRACE_MS } from '../listener-limits.ts'
import type { SharedDocument } from '../fixtures/shared-document.ts'
import { base64, FileClient, type FileCaller } from './fixtures/file-client.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000108060000', 'hex')

let server: RealServer
let document: SharedDocument
let client: FileClient
let owner: FileCaller

beforeAll(async () => {
  server = await RealServer.start({ environment: { LIMIT_FILE: '3', LIMIT_FILES_OF_DOCUMENT: '5' } })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  document = await server.createDocument()
  client = new FileClient(server, document.id)
  owner = { cookie: document.cookie }
})

const errorOf = ({ body }: { readonly body: Buffer }): string =>
  (JSON.parse(body.toString()) as { error: { code: string } }).error.code

describe.each(Object.keys(httpClients) as (keyof typeof httpClients)[])('over %s', (protocol) => {
  test('[F2] a file is taken in pieces and read whole, in parts and not again', async () => {
    client = new FileClient(server, document.id, protocol)
    const editor = { token: document.tokens.editor }
    const bytes = Buffer.concat([png, randomBytes(1_500_000)])
    const id = createFileId()
    const begun = await client.begin(editor, bytes.length, id)
    expect([begun.status, begun.headers['location'], begun.headers['upload-offset']]).toEqual([
      201,
      `/api/documents/${document.id}/files/${id}`,
      '0',
    ])
    expect(await client.append(editor, id, 0, bytes.subarray(0, 1_000_000))).toMatchObject({
      status: 204,
      headers: { 'upload-offset': '1000000' },
    })
    const half = await client.tus(editor, 'HEAD', id)
    expect(half).toMatchObject({
      status: 200,
      headers: { 'upload-offset': '1000000', 'upload-length': String(bytes.length) },
    })
    expect(half.headers['cache-control']).toBe('no-store')
    expect((await client.append(editor, id, 1_000_000, bytes.subarray(1_000_000))).status).toBe(204)

    const whole = await client.call(editor, 'GET', id)
    expect(whole.body.equals(bytes)).toBe(true)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(whole).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'content-length': String(bytes.length),
        'accept-ranges': 'bytes',
        etag: `"${sha256}"`,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'Cookie, Authorization',
      },
    })
    expect(whole.headers['cache-control']).toMatch(/^private, .*immutable$/)
    expect(whole.headers['content-security-policy']).toMatch(/^default-src 'none'.*sandbox$/)
    expect(whole.headers['content-disposition']).toMatch(/^inline; filename="a.png"/)

    const part = await client.call(editor, 'GET', id, { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers['content-range'], part.body]).toEqual([
      206,
      `bytes 10-19/${bytes.length}`,
      bytes.subarray(10, 20),
    ])
    const last = await client.call(editor, 'GET', id, { headers: { range: 'bytes=-5' } })
    expect(last.body).toEqual(bytes.subarray(-5))
    const beyond = await client.call(editor, 'GET', id, { headers: { range: `bytes=${bytes.length}-` } })
    expect([beyond.status, beyond.headers['content-range'], beyond.headers['etag']]).toEqual([
      416,
      `bytes */${bytes.length}`,
      undefined,
    ])
    const changed = { range: 'bytes=10-19', 'if-range': '"another"' }
    expect((await client.call(editor, 'GET', id, { headers: changed })).status).toBe(200)
    const known = await client.call(editor, 'GET', id, { headers: { 'if-none-match': `"${sha256}"` } })
    expect([known.status, known.body.length]).toEqual([304, 0])
    const head = await client.call(editor, 'HEAD', id)
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(bytes.length),
      0,
    ])
  })

  test('[A6] a piece that is refused is answered while it is still being sent', async () => {
    client = new FileClient(server, document.id, protocol)
    const editor = { token: document.tokens.editor }
    const id = createFileId()
    await client.begin(editor, 3_000_000, id)
    const piece = randomBytes(2_000_000)
    const answers = [
      await client.append(editor, id, 5, piece),
      await client.append(editor, createFileId(), 0, piece),
      await client.append(editor, id, 0, randomBytes(3_000_001)),
      await client.append({}, id, 0, piece),
      await client.append(editor, id, 0, piece, { 'content-type': 'image/png' }),
      await client.append(editor, id, 0, piece, { 'tus-resumable': '0.2.2' }),
      await client.append(editor, id, 0, piece, { 'upload-checksum': `sha1 ${base64('wrong')}` }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 404, 413, 403, 415, 412, 460])
    expect((await client.tus(editor, 'HEAD', id)).headers['upload-offset']).toBe('0')
    const digest = createHash('sha256').update(piece).digest('base64')
    const taken = await client.append(editor, id, 0, piece, { 'upload-checksum': `sha256 ${digest}` })
    expect(taken.status).toBe(204)
  })
})

test.each(['PATCH /api/documents/a/files/b', 'POST /api/documents/import?name=a.txt'])(
  '[A6] a connection that ends with the refusal of %s ends after the body, so that no answer is lost by a reset',
  async (line) => {
    const { hostname, port } = new URL(server.origin('http'))
    const half = randomBytes(100_000)
    const socket = connect(Number(port), hostname)
    const answer = text(socket)
    const length = `content-length: ${2 * half.length}`
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${length}\r\n\r\n`)
    socket.write(half)
    const isAnswered = answer.then(() => true)
    // Half as long as the server waits for the rest.
    expect(await Promise.race([isAnswered, wait(REFUSED_BODY_GRACE_MS / 2, false)])).toBe(false)
    socket.write(half)
    expect(await answer).toMatch(/^HTTP\/1.1 403 /)
  },
)

test('says what of tus it speaks', async () => {
  const { status, headers } = await client.call({}, 'OPTIONS')
  expect([status, headers]).toMatchObject([
    204,
    {
      'tus-version': '1.0.0',
      'tus-extension': 'creation,checksum,termination,expiration',
      'tus-checksum-algorithm': 'sha1,sha256',
      'tus-max-size': String(3 * 1024 * 1024),
    },
  ])
})

test('lists files and uploads, with who uploaded them', async () => {
  const id = await client.upload(owner, png, 'A “plan”.png')
  const arriving = createFileId()
  await client.begin(owner, 100, arriving)
  await client.append(owner, arriving, 0, png)
  const { body } = await client.call({ token: document.tokens.viewer }, 'GET')
  const person = { id: expect.stringMatching(/^user:/), name: expect.any(String) }
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(JSON.parse(body.toString())).toEqual({
    files: [
      {
        id,
        name: 'A “plan”.png',
        type: 'image/png',
        bytes: png.length,
        width: 2,
        height: 1,
        uploadedAt: time,
        uploadedBy: person,
      },
    ],
    uploads: [
      {
        id: arriving,
        name: 'a.png',
        bytes: 100,
        received: png.length,
        startedAt: time,
        expiresAt: time,
        uploadedBy: person,
      },
    ],
  })
})

test.each([
  ['a.html', '<html><script>alert(1)</script>', 'application/octet-stream', 'attachment'],
  [
    'a.png',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    'image/svg+xml',
    'attachment',
  ],
  ['a.svg', '%PDF-1.7 <html><script>', 'application/pdf', 'inline'],
  ['a.exe', '\0\0\0\x18ftypheic', 'image/heic', 'attachment'],
  ['a.txt', '\0\0\0\x18ftypisom', 'video/mp4', 'inline'],
])('[F4] a file named %s with %j is %s, as %s', async (name, bytes, type, disposition) => {
  const id = await client.upload(owner, Buffer.from(bytes), name)
  const { headers } = await client.call(owner, 'GET', id)
  expect(headers['content-type']).toBe(type)
  expect(headers['content-disposition']).toBe(`${disposition}; filename="${name}"; filename*=UTF-8''${name}`)
  const policy = headers['content-security-policy']
  if (type === 'application/pdf') expect(policy).toContain("script-src 'none'")
  else expect(policy).toMatch(/^default-src 'none'; .*sandbox$/)
  const download = await client.call(owner, 'GET', `${id}?download`)
  expect(download.headers['content-disposition']).toMatch(/^attachment;/)
})

test('[A6] a name leads nowhere, and ends no header', async () => {
  const id = await client.upload(owner, png, '../../etc/“x”"\r\nset-cookie: a=b')
  const { headers } = await client.call(owner, 'GET', id)
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['content-disposition']).toMatch(
    /^inline; filename="[\w. =_-]+"; filename\*=UTF-8''[\w.%=-]+$/,
  )
})

describe('[F5] by the rights of the document', () => {
  const callers = (): Record<string, FileCaller> => ({
    owner,
    editor: { token: document.tokens.editor },
    viewer: { token: document.tokens.viewer },
    nobody: {},
    wrong: { token: 'x'.repeat(22) },
  })

  async function strangerCookie(): Promise<string> {
    const other = await server.createDocument()
    return other.cookie
  }

  test('each request is answered or refused', async () => {
    const id = await client.upload(owner, png)
    const arriving = createFileId()
    await client.begin(owner, 100, arriving)
    const everybody = { ...callers(), stranger: { cookie: await strangerCookie() } }
    const statuses = Object.entries(everybody).map(async ([name, caller]) => [
      name,
      [
        (await client.call(caller, 'GET')).status,
        (await client.call(caller, 'GET', id)).status,
        (await client.call(caller, 'HEAD', id)).status,
        (await client.begin(caller, 10)).status,
        (await client.tus(caller, 'HEAD', arriving)).status,
        (await client.append(caller, arriving, 50, png)).status, // the upload has 0 bytes
        (await client.tus(caller, 'DELETE', id)).status,
      ],
    ])
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
      owner: [200, 200, 200, 201, 200, 409, 409],
      editor: [200, 200, 200, 201, 404, 404, 409],
      viewer: [200, 200, 200, 403, 404, 403, 403],
      stranger: [404, 404, 404, 404, 404, 404, 404],
      wrong: [401, 401, 401, 401, 401, 401, 401],
      nobody: [403, 403, 403, 403, 403, 403, 403],
    })
  })

  test('a file of another document is missing', async () => {
    const id = await client.upload(owner, png)
    const other = await server.createDocument()
    const elsewhere = new FileClient(server, other.id)
    expect((await elsewhere.call({ cookie: other.cookie }, 'GET', id)).status).toBe(404)
    expect((await elsewhere.call({ cookie: other.cookie }, 'GET', '../x')).status).toBe(404)
  })

  test('another page may not have it', async () => {
    const id = await client.upload(owner, png)
    const { cookie = '' } = owner
    const fetchSite = (site: string) =>
      httpClients['http/1.1'](
        { http: server.origin('http'), https: '' },
        `/api/documents/${document.id}/files/${id}`,
        { headers: { cookie, 'sec-fetch-site': site } },
      )
    expect([(await fetchSite('same-origin')).status, (await fetchSite('cross-site')).status]).toEqual([
      200, 403,
    ])
  })

  async function revokeLinks(of: RealServer, { id: documentId, cookie }: SharedDocument): Promise<void> {
    const origin = of.origin('http')
    const path = `${origin}/api/documents/${documentId}/links`
    const headers = { cookie, origin }
    const { links } = (await (await fetch(path, { headers })).json()) as { links: { id: string }[] }
    expect(links.length).toBeGreaterThan(0)
    for (const { id } of links) await fetch(`${path}/${id}`, { method: 'DELETE', headers })
  }

  test('a right that was taken away is gone at once, in the middle of a piece and of an answer', async () => {
    // More than the network holds by itself.
    const bytes = randomBytes(32 * 1024 * 1024)
    await using own = await RealServer.start()
    const shared = await own.createDocument()
    const editor = { token: shared.tokens.editor }
    const files = new FileClient(own, shared.id)
    const id = await files.upload(editor, bytes)
    const arriving = createFileId()
    await files.begin(editor, 1_000_000, arriving)
    const url = `${own.origin('http')}/api/documents/${shared.id}/files`
    const headers = { authorization: `Bearer ${editor.token}` }

    const download = httpRequest(`${url}/${id}`, { headers, agent: false }).end()
    const [answer] = (await once(download, 'response')) as [IncomingMessage]
    const upload = httpRequest(`${url}/${arriving}`, {
      method: 'PATCH',
      agent: false,
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
    })
    upload.on('error', () => {}) // each write that comes too late is one
    upload.write(bytes.subarray(0, 100_000))
    await expect.poll(() => readdir(join(own.dataDir, 'uploads'))).not.toEqual([])
    const uploadEnded = expect(once(upload, 'response')).rejects.toThrow('socket hang up')
    await revokeLinks(own, shared)
    await expect(buffer(answer)).rejects.toThrow('aborted')
    await uploadEnded
    expect((await files.call(editor, 'GET', id)).status).toBe(401)
    expect((await files.append(editor, arriving, 0, png)).status).toBe(401)
  })
})

describe('[A6] limits', () => {
  test('of one file and of a document are said by name, uploads in progress included', async () => {
    const tooLarge = await client.begin(owner, 3 * 1024 * 1024 + 1)
    expect([tooLarge.status, errorOf(tooLarge), tooLarge.body.toString()]).toEqual([
      413,
      'too-large',
      expect.stringContaining('LIMIT_FILE'),
    ])
    expect((await client.begin(owner, 3 * 1024 * 1024)).status).toBe(201)
    const full = await client.begin(owner, 2 * 1024 * 1024 + 1)
    expect([full.status, errorOf(full), full.body.toString()]).toEqual([
      507,
      'no-space',
      expect.stringContaining('LIMIT_FILES_OF_DOCUMENT'),
    ])
    expect((await client.begin(owner, 2 * 1024 * 1024)).status).toBe(201)
  })

  test.each([
    ['no length', {}],
    ['a length that is none', { 'upload-length': '-1' }],
    ['a length of many digits', { 'upload-length': '9'.repeat(16) }],
    ['metadata that are none', { 'upload-length': '1', 'upload-metadata': 'filename a b' }],
    ['an id that is none', { 'upload-length': '1', 'upload-metadata': `id ${base64('../../secret')}` }],
  ])('%s is refused', async (_name, headers) => {
    const answer = await client.tus(owner, 'POST', '', { headers })
    expect([answer.status, errorOf(answer)]).toEqual([400, 'bad-request'])
  })

  test('[F1] an id is taken once', async () => {
    const id = await client.upload(owner, png)
    expect((await client.begin(owner, 5, id)).status).toBe(409)
    const editor = { token: document.tokens.editor }
    expect((await client.begin(editor, png.length, id)).status).toBe(409)
    const repeated = await client.begin(owner, png.length, id) // its answer may have been lost
    expect([repeated.status, repeated.headers['upload-offset']]).toEqual([201, String(png.length)])
    expect((await client.append(owner, id, 0, png)).status).toBe(409)
    expect((await client.tus(owner, 'HEAD', id)).headers).toMatchObject({
      'upload-offset': String(png.length),
      'upload-length': String(png.length),
    })
  })
})

test('a copy of a document has its files, also once the first one is gone', async () => {
  const id = await client.upload({ token: document.tokens.editor }, png)
  const origin = server.origin('http')
  const headers = { cookie: document.cookie, origin, 'content-type': 'application/json' }
  const url = `${origin}/api/documents/${document.id}`
  const copied = await fetch(`${url}/copies`, { method: 'POST', headers, body: '{}' })
  const copy = (await copied.json()) as { id: string }
  await fetch(url, { method: 'DELETE', headers })
  expect((await client.call(owner, 'GET', id)).status).toBe(404)
  const { status, body } = await new FileClient(server, copy.id).call(owner, 'GET', id)
  expect([status, body]).toEqual([200, png])
})

describe('files of another document', () => {
  const copy = (to: FileClient, caller: FileCaller, from: string, files: readonly string[]) =>
    to.call(caller, 'POST', 'copies', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from, files }),
    })

  test('[F3] are taken over by whoever may read there and write here, without being sent', async () => {
    const { id: second } = await server.createDocument()
    const elsewhere = new FileClient(server, second)
    const third = await server.createDocument()
    const there = new FileClient(server, third.id)
    const thirdOwner = { cookie: third.cookie }
    const id = await client.upload(owner, png)
    const unknown = createFileId()
    expect((await copy(there, thirdOwner, document.id, [id])).status).toBe(404)
    const { cookie } = thirdOwner
    await fetch(`${server.origin('http')}/api/documents/${document.id}/redeem`, {
      method: 'POST',
      headers: { cookie, origin: server.origin('http'), 'content-type': 'application/json' },
      body: JSON.stringify({ token: document.tokens.viewer }),
    })
    const copied = await copy(there, thirdOwner, document.id, [id, unknown])
    expect([copied.status, JSON.parse(copied.body.toString())]).toEqual([200, { files: [id] }])
    expect((await there.call(thirdOwner, 'GET', id)).body).toEqual(png)
    expect(JSON.parse((await copy(there, thirdOwner, document.id, [id])).body.toString())).toEqual({
      files: [id],
    })
    expect((await copy(client, thirdOwner, third.id, [id])).status).toBe(403)
    expect((await copy(elsewhere, thirdOwner, document.id, [id])).status).toBe(404)
    expect((await copy(there, thirdOwner, document.id, ['../x'])).status).toBe(400)
  })

  test('[A6] count for the document that takes them over', async () => {
    const { id: second, cookie } = await server.createDocument()
    const there = new FileClient(server, second)
    const { tokens } = document
    await there.upload({ cookie }, randomBytes(3_000_000))
    const ids = [await client.upload(owner, randomBytes(3_000_000))]
    await fetch(`${server.origin('http')}/api/documents/${document.id}/redeem`, {
      method: 'POST',
      headers: { cookie, origin: server.origin('http'), 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokens.viewer }),
    })
    expect((await copy(there, { cookie }, document.id, ids)).status).toBe(507)
  })
})

test('[F5] a person who was removed is a stranger at once', async () => {
  const { cookie } = await server.createDocument()
  const origin = server.origin('http')
  const id = await client.upload(owner, png)
  const url = `${origin}/api/documents/${document.id}`
  const headers = { origin, 'content-type': 'application/json' }
  const token = document.tokens.editor
  await fetch(`${url}/redeem`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ token }),
  })
  expect((await client.call({ cookie }, 'GET', id)).status).toBe(200)
  const me = (await (await fetch(`${origin}/api/me`, { headers: { ...headers, cookie } })).json()) as {
    id: string
  }
  const removed = await fetch(`${url}/access/${encodeURIComponent(me.id)}`, {
    method: 'DELETE',
    headers: { origin, cookie: document.cookie },
  })
  expect(removed.status).toBe(204)
  expect((await client.call({ cookie }, 'GET', id)).status).toBe(404)
  expect((await client.begin({ cookie }, 10)).status).toBe(404)
})

test('[A6] an upload that is ended leaves nothing', async () => {
  const listUploads = () => readdir(join(server.dataDir, 'uploads'))
  const others = await listUploads()
  const id = createFileId()
  await client.begin(owner, 100, id)
  await client.append(owner, id, 0, png)
  expect(await listUploads()).not.toEqual(others)
  expect((await client.tus(owner, 'DELETE', id)).status).toBe(204)
  expect((await client.tus(owner, 'HEAD', id)).status).toBe(404)
  expect(await listUploads()).toEqual(others)
})
