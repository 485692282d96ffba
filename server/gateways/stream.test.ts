import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ControlRecord } from '../../lib/protocol/records.ts'
import { RecordDecoder } from '../../lib/protocol/record-decoder.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { sendUntilStalled } from './fixtures/gateway-harness.ts'

const token = { authorization: 'Bearer a' }

describe('the endpoint of the HTTP stream', () => {
  let server: GatewayTestServer
  beforeEach(async () => {
    server = await GatewayTestServer.start()
  })
  afterEach(() => server.close())

  const openStream = (headers: Record<string, string> = token, method = 'POST') =>
    fetch(`${server.http}/sync/stream`, { method, headers })

  const readError = async (response: Response) => ({
    status: response.status,
    ...((await response.json()) as object),
  })

  test('[S10] sends the link’s name first of all, and is neither cached, nor changed, nor held back', async () => {
    const response = await openStream()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    const controls: ControlRecord[] = []
    const onControl = (control: ControlRecord): void => void controls.push(control)
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    new RecordDecoder({ onFrame: () => {}, onControl }).push(new Uint8Array(value!))
    expect(controls).toMatchObject([{ type: 'link', key: { id: expect.stringMatching(/^a\../) as string } }])
    await reader.cancel()
  })

  test('[A1] [A2] opens no stream for a foreign origin, for a cookie without an origin, or without credentials', async () => {
    const foreign = { ...token, origin: 'https://evil.example' }
    for (const headers of [foreign, { cookie: 's=1' }])
      expect(await readError(await openStream(headers))).toMatchObject({
        status: 403,
        error: { code: 'origin' },
      })
    expect(await readError(await openStream({}))).toMatchObject({ status: 401, error: { code: 'sign-in' } })
    expect(server.acceptor.links).toEqual([])
  })

  test('[S8] sends a retry time while draining', async () => {
    server.draining = true
    const response = await openStream()
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await readError(response)).toMatchObject({ status: 503, error: { code: 'going-away' } })
  })

  test('[A6] answers a wrong method with the right one', async () => {
    const response = await openStream(token, 'GET')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('[T1] notices a reader that goes away', async () => {
    const response = await openStream()
    await response.body!.cancel()
    expect((await (await server.acceptor.next()).received.closed).code).toBe('lost')
  })

  test('[S6] ends the wait of a send when its reader goes away', async () => {
    const response = await openStream()
    const { link, received } = await server.acceptor.next()
    const sending = await sendUntilStalled(link)
    await response.body!.cancel()
    await sending.promise
    expect((await received.closed).code).toBe('lost')
  })

  test('[S6] makes send wait for a reader that does not read, and go on when it does', async () => {
    const response = await openStream()
    const { link } = await server.acceptor.next()
    const sending = await sendUntilStalled(link)
    const reader = response.body!.getReader()
    const reading = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => {})
    await sending.promise
    await reader.cancel()
    await reading
  })
})
