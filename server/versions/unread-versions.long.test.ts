/** [A6] Over real connections: readers of large versions who read nothing, and an honest one beside them. */
import http2 from 'node:http2'
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { httpClients } from '../fixtures/http-clients.ts'
import { RealServer } from '../fixtures/real-server.ts'
import type { SharedDocument } from '../fixtures/shared-document.ts'
import { MAX_DOWNLOADED_BYTES_PER_PRINCIPAL } from '../listener-limits.ts'

/** Does not get shorter by gzip. */
const text = randomBytes(6 * 1024 * 1024)
const REQUESTS = 30

let server: RealServer
let document: SharedDocument
let path: string

beforeEach(async () => {
  server = await RealServer.start()
  document = await server.createDocument()
  using database = new DatabaseSync(server.databaseFile)
  const state = gzipSync(text, { level: 1 })
  database
    .prepare(
      `insert into versions (id, document, created_at, name, named_by, authors, sequence, checksum, state)
       values ('large', ?, 1, 'Large', 'user:x', '[]', 1, ?, ?)`,
    )
    .run(document.id, crc32(state), state)
  path = `/api/documents/${document.id}/versions/large/state`
})
afterEach(() => server[Symbol.asyncDispose]())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Returns how many of the answers are open, now and at most, and the status of each. */
function requestUnread(session: http2.ClientHttp2Session) {
  const answered = new Set<http2.ClientHttp2Stream>()
  const counts = { open: 0, most: 0, statuses: [] as number[] }
  for (let request = 0; request < REQUESTS; request++) {
    const stream = session.request({ ':path': path, ...bearer(document.tokens.other) })
    stream.on('error', () => {}).pause()
    stream.once('response', ({ ':status': status = 0 }) => {
      counts.statuses.push(status)
      if (status === 200) answered.add(stream)
      counts.open = [...answered].filter(({ closed }) => !closed).length
      counts.most = Math.max(counts.most, counts.open)
    })
  }
  return counts
}

test('hold what their limit says, others read meanwhile in both encodings, and who leaves holds nothing', async () => {
  const session = http2.connect(server.origin('https'), { rejectUnauthorized: false })
  const answers = requestUnread(session)
  const fitting = Math.floor(MAX_DOWNLOADED_BYTES_PER_PRINCIPAL / text.length)
  await waitUntil(() => answers.open === fitting)

  const origin = { http: server.origin('http'), https: server.origin('https') }
  for (const sendRequest of Object.values(httpClients)) {
    const headers = bearer(document.tokens.viewer)
    const plain = await sendRequest(origin, path, { headers })
    expect(plain.body.equals(text)).toBe(true)
    const deflated = await sendRequest(origin, path, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    expect(deflated.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(deflated.body).equals(text)).toBe(true)
  }
  // While they wait for each other, those that read nothing are cut, and the next ones begin.
  expect(answers.most).toBe(fitting)

  session.destroy()
  const after = await httpClients.h2(origin, path, { headers: bearer(document.tokens.other) })
  expect(after.body.equals(text)).toBe(true)
})

test('[A4] whoever lost the right while they waited gets nothing', async () => {
  const session = http2.connect(server.origin('https'), { rejectUnauthorized: false })
  const answers = requestUnread(session)
  const fitting = Math.floor(MAX_DOWNLOADED_BYTES_PER_PRINCIPAL / text.length)
  await waitUntil(() => answers.open === fitting)
  const origin = server.origin('http')
  const headers = { origin, cookie: document.cookie }
  const links = `${origin}/api/documents/${document.id}/links`
  const listed = await (await fetch(links, { headers })).json()
  const link = listed.links.find(({ url }: { url: string }) => url.endsWith(document.tokens.other))
  expect((await fetch(`${links}/${link.id}`, { method: 'DELETE', headers })).status).toBe(204)
  // Those that read nothing are cut, and the others have their turn.
  await waitUntil(() => answers.statuses.length === REQUESTS)
  expect(answers.statuses.filter((status) => status === 200)).toHaveLength(fitting)
  session.destroy()
})
