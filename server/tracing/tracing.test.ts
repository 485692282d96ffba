/** Runs a server with traces on, against a collector of OTLP over HTTP that records what it is sent. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAttachMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { openTracing } from './open-tracing.ts'
import { noTracing } from './tracing.ts'

interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

const received: ReceivedSpan[] = []
const collector = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    if (request.url === '/v1/traces') {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: readonly { scopeSpans: readonly { spans: readonly ReceivedSpan[] }[] }[]
      }
      received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
})

beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => void collector.close())

const spansNamed = (name: string): ReceivedSpan[] => received.filter((span) => span.name === name)
const partOf = ({ attributes: [part] }: ReceivedSpan) => part?.value.stringValue
const parentOf = ({ parentSpanId }: ReceivedSpan): ReceivedSpan | undefined =>
  received.find(({ spanId }) => spanId === parentSpanId)

test('without a collector nothing is traced, and no library is loaded', async () => {
  expect(await openTracing({ tracesEndpoint: null }, silentLogger)).toBe(noTracing)
})

test.each([
  ['sse', 'GET /sync/sse'],
  ['websocket', 'GET /sync/websocket'],
] as const)(
  'spans of requests, sessions, rooms and appends reach the collector, by %s',
  async (transport, opening) => {
    received.length = 0
    const tracesEndpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const tracing = await openTracing({ tracesEndpoint }, silentLogger)
    await using server = await RealServer.start({ tracing })
    const shared = await server.createDocument()
    const writer = server.openDocument(shared, { transport, scheme: 'http' })
    await writer.whenSynced
    writer.doc.getText('trace').insert(0, 'traced')
    await writer.whenSaved()
    await writer.close()
    // Nobody has this part open yet.
    using client = await RawClient.open(transport, server.origin('http'), shared.tokens.editor)
    client.send(helloMessage, { ...createAttachMessage(shared.id), part: 'comments' })
    await client.waitForMessage('attached')
    await server.stop()

    const [session] = spansNamed('session open')
    expect(parentOf(session!)?.name).toBe(opening)
    const attributes = new Map(session!.attributes.map(({ key, value }) => [key, value.stringValue]))
    expect(attributes.get('diptych.transport')).toBe(transport)
    // The index of the search loads texts by itself.
    const loads = spansNamed('store load').filter(({ parentSpanId }) => parentSpanId)
    expect(new Set(loads.map(partOf))).toEqual(new Set(['body', 'comments']))
    expect(loads.every((load) => parentOf(load)?.name === 'room open')).toBe(true)
    expect(loads.every((load) => load.traceId === parentOf(load)!.traceId)).toBe(true)
    const itsSession = parentOf(spansNamed('room open').find((span) => partOf(span) === 'comments')!)
    expect(itsSession?.name).toBe('session open')
    expect(parentOf(itsSession!)?.name).toBe(opening)
    // A batch is of many requests.
    expect(spansNamed('store append').length).toBeGreaterThan(0)
    expect(spansNamed('store append').every(({ parentSpanId }) => !parentSpanId)).toBe(true)
    const [post] = spansNamed('POST /api/documents')
    expect(post?.parentSpanId).toBeFalsy()
    expect(JSON.stringify(received)).not.toContain(shared.id)
    for (const token of Object.values(shared.tokens)) expect(JSON.stringify(received)).not.toContain(token)
  },
)

test('work that fails marks its span, and what it said stays out', async () => {
  received.length = 0
  const tracesEndpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const tracing = await openTracing({ tracesEndpoint }, silentLogger)
  const failure = new TypeError('of somebody’s text')
  await expect(
    tracing.span('outer', {}, () => tracing.span('inner', {}, () => Promise.reject(failure))),
  ).rejects.toBe(failure)
  expect(() =>
    tracing.span('thrown', {}, () => {
      throw failure
    }),
  ).toThrow(failure)
  await tracing.close()
  expect(parentOf(spansNamed('inner')[0]!)?.name).toBe('outer')
  for (const name of ['inner', 'outer', 'thrown'])
    expect(spansNamed(name)[0]).toMatchObject({ status: { code: 2 } })
  expect(JSON.stringify(received)).not.toContain('somebody')
})
