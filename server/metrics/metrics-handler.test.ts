import { once } from 'node:events'
import { request } from 'node:https'
import { request as plainRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RawClient, createAttachMessage, createEditMessage, helloMessage } from '../fixtures/raw-client.ts'
import { readRefusals } from '../fixtures/read-refusals.ts'
import { RealServer } from '../fixtures/real-server.ts'
import type { SharedDocument } from '../fixtures/shared-document.ts'
import { startTestServer } from '../fixtures/test-server.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { StockClients } from '../gateways/fixtures/stock-clients.ts'
import { ServerCounts, incrementCount } from './server-counts.ts'
import { createMetricsHandler } from './metrics-handler.ts'

let server: RealServer
let documentLink: SharedDocument

beforeAll(async () => {
  server = await RealServer.start()
  documentLink = await server.createDocument()
})
afterAll(() => server[Symbol.asyncDispose]())

interface MetricsResponse {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Does not use fetch, which does not allow a Host header. */
const requestMetrics = (origin: string, host?: string, method = 'GET'): Promise<MetricsResponse> =>
  new Promise((resolve, reject) => {
    const send = origin.startsWith('https:') ? request : plainRequest
    const options = { method, rejectUnauthorized: false, ...(host && { headers: { host } }) }
    const clientRequest = send(`${origin}/metrics`, options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => (body += text))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }),
      )
    })
    clientRequest.on('error', reject)
    clientRequest.end()
  })

const metricValue = (text: string, name: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  if (!line) throw new Error(`There is no ${name} in\n${text}`)
  return Number(line.slice(name.length))
}

test('the server counts what happens', async () => {
  const origin = server.origin('http')
  const before = await requestMetrics(origin)
  expect(before).toMatchObject({ status: 200, type: expect.stringContaining('text/plain') })
  const writer = server.openDocument(documentLink, { transport: 'websocket', scheme: 'http' })
  await writer.whenSynced
  writer.doc.getText('trace').insert(0, 'counted')
  await writer.whenSaved()
  using reader = await RawClient.open('sse', origin, documentLink.tokens.viewer)
  reader.send(helloMessage, { ...createAttachMessage(documentLink.id), cause: 'digest' })
  await reader.waitForMessage('attached')
  reader.send(createEditMessage(Uint8Array.of(0, 0)))
  await reader.waitForMessage('refused')
  const { body } = await requestMetrics(origin)
  const increaseOf = (name: string) =>
    metricValue(body, name) - (before.body.includes(`\n${name} `) ? metricValue(before.body, name) : 0)
  expect(increaseOf('diptych_edits_total')).toBe(1)
  expect(increaseOf('diptych_commits_total')).toBe(1)
  expect(
    ['append', 'load', 'compact'].map((operation) =>
      metricValue(body, `diptych_store_failures_total{operation="${operation}"}`),
    ),
  ).toEqual([0, 0, 0])
  expect(increaseOf('diptych_resyncs_total{cause="digest"}')).toBe(1)
  expect(increaseOf('diptych_refusals_total{code="forbidden"}')).toBe(1)
  expect(metricValue(body, 'diptych_sessions{transport="websocket"}')).toBe(1)
  expect(metricValue(body, 'diptych_sessions{transport="sse"}')).toBe(1)
  for (const transport of ['websocket', 'sse'])
    for (const name of ['messages_received', 'messages_sent', 'received_bytes', 'sent_bytes'])
      expect(increaseOf(`diptych_${name}_total{transport="${transport}"}`)).toBeGreaterThan(0)
  for (const name of ['acknowledgement', 'store_append']) {
    expect(increaseOf(`diptych_${name}_seconds_count`)).toBe(1)
    expect(increaseOf(`diptych_${name}_seconds_bucket{le="+Inf"}`)).toBe(1)
    expect(increaseOf(`diptych_${name}_seconds_sum`)).toBeGreaterThan(0)
  }
  expect(metricValue(body, 'diptych_fanout_lag_seconds_count')).toBe(0)
  expect(metricValue(body, 'diptych_rooms')).toBe(1)
  expect(metricValue(body, 'diptych_append_queue_length')).toBe(0)
  expect(metricValue(body, 'diptych_document_memory_bytes')).toBeGreaterThan(0)
  expect(metricValue(body, 'diptych_dropped_docs_total')).toBe(0)
  expect(metricValue(body, 'diptych_memory_refusals_total')).toBe(0)
  expect(body).not.toContain(documentLink.id)
  expect(metricValue(body, 'diptych_store{kind="sqlite"}')).toBe(1)
  expect([
    metricValue(body, 'diptych_links{transport="websocket"}'),
    metricValue(body, 'diptych_links{transport="sse"}'),
  ]).toEqual([1, 1])
  expect(metricValue(body, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  await writer.close()
})

test('a link that is not let in is counted by its reason', async () => {
  const origin = server.origin('http')
  await expect(RawClient.open('sse', origin, 'no such token')).rejects.toThrow()
  expect(
    metricValue((await requestMetrics(origin)).body, 'diptych_refused_admissions_total{reason="origin"}'),
  ).toBe(1)
})

test('whoever is refused is counted, by every door', async () => {
  await using strict = await RealServer.start({ environment: { LIMIT_NEW_DOCUMENTS: '1/0.001' } })
  const origin = strict.origin('http')
  const document = await strict.createDocument()
  expect(await readRefusals(origin)).toEqual({})

  await expect(strict.createDocument()).rejects.toThrow('429')
  const missing = await fetch(`${origin}/api/documents/${document.id}`, { headers: { origin } })
  expect(missing.status).toBe(401)
  using stock = new StockClients(strict, document)
  const socket = await stock.openSocket()
  socket.send(Uint8Array.of(255))
  await once(socket, 'close')
  expect(await readRefusals(origin)).toEqual({
    'refused_requests too-many': 1,
    'refused_requests sign-in': 1,
    'refusals bad-frame': 1,
  })
})

test('every name follows the conventions: a unit, and _total for what only rises', async () => {
  const { body } = await requestMetrics(server.origin('http'))
  const types = [...body.matchAll(/^# TYPE (diptych_\w+) (\w+)$/gm)].map(([, name, type]) => ({
    name: name!,
    type,
  }))
  expect(types.length).toBeGreaterThan(15)
  for (const { name, type } of types) {
    expect(name.endsWith('_total')).toBe(type === 'counter')
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
})

describe('who may read', () => {
  const counts = new ServerCounts()
  incrementCount(counts.refusals, 'forbidden')
  const startServer = (readers: 'loopback' | 'all' | 'off') =>
    startTestServer({
      services: {
        requestHandlers: [
          createMetricsHandler(
            {
              counts,
              storeKind: 'sqlite',
              sessions: () => new Map(),
              links: () => new Map(),
              rooms: () => ({ open: 0, queued: 0, memoryBytes: 0 }),
            },
            readers,
            silentLogger,
          ),
        ],
      },
    })

  test('programs of this computer; a proxy on it forwards another name, or a forged one to the TLS port', async () => {
    await using testServer = await startServer('loopback')
    expect((await requestMetrics(testServer.http)).status).toBe(200)
    expect((await requestMetrics(testServer.http, 'docs.example.org')).status).toBe(308)
    expect((await requestMetrics(testServer.https, 'docs.example.org')).status).toBe(404)
    expect((await requestMetrics(testServer.https, 'localhost')).status).toBe(404)
    expect((await requestMetrics(testServer.http, undefined, 'POST')).status).toBe(405)
  })

  test('everybody, if the setting allows it', async () => {
    await using testServer = await startServer('all')
    expect((await requestMetrics(testServer.https, 'docs.example.org')).body).toContain(
      'diptych_refusals_total{code="forbidden"} 1',
    )
  })

  test('nobody, if it is off', async () => {
    await using testServer = await startServer('off')
    expect((await requestMetrics(testServer.http)).status).toBe(404)
  })
})
