import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSseTicket } from '../../lib/protocol/http.ts'
import { HttpLinks } from './http-links.ts'
import { createSseGateway } from './sse.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { sendUntilStalled } from './fixtures/gateway-harness.ts'

const token = { authorization: 'Bearer a' }

describe('the endpoints of server-sent events', () => {
  let server: GatewayTestServer
  beforeEach(async () => {
    server = await GatewayTestServer.start()
  })
  afterEach(() => server.close())

  const requestTicket = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.http}/sync/sse/ticket`, { method: 'POST', headers })

  async function fetchTicket(): Promise<string> {
    const response = await requestTicket(token)
    expect(response.status).toBe(201)
    expect(response.headers.get('cache-control')).toBe('no-store')
    return readSseTicket(await response.text())!.ticket
  }

  const openStream = (ticket: string, headers: Record<string, string> = token): Promise<Response> =>
    fetch(`${server.http}/sync/sse?ticket=${ticket}`, { headers })

  const errorOf = async (response: Response): Promise<unknown> => ({
    status: response.status,
    ...((await response.json()) as object),
  })

  test('[A1] [A2] no ticket for a foreign origin, for a cookie without an origin, or without credentials', async () => {
    const foreign = { origin: 'https://evil.example' }
    expect(await errorOf(await requestTicket({ ...token, ...foreign }))).toMatchObject({
      status: 403,
      error: { code: 'origin' },
    })
    expect(await errorOf(await requestTicket({ cookie: 's=1' }))).toMatchObject({
      status: 403,
      error: { code: 'origin' },
    })
    expect(await errorOf(await requestTicket({}))).toMatchObject({ status: 401, error: { code: 'sign-in' } })
  })

  test('[S8] while draining there is no ticket, but a retry time', async () => {
    server.draining = true
    const response = await requestTicket(token)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await errorOf(response)).toMatchObject({ status: 503, error: { code: 'going-away' } })
  })

  test('a stream is neither cached, nor changed, nor held back', async () => {
    const response = await openStream(await fetchTicket())
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    await response.body!.cancel()
    expect((await (await server.acceptor.next()).received.closed).code).toBe('lost')
  })

  test('[A3] a ticket serves once', async () => {
    const once = await fetchTicket()
    const first = await openStream(once)
    expect(first.status).toBe(200)
    expect(await errorOf(await openStream(once))).toMatchObject({ status: 403, error: { code: 'ticket' } })
    await first.body!.cancel()
  })

  test('[A3] a ticket expires', async () => {
    const shortLivedServer = await GatewayTestServer.start((parts) => [
      createSseGateway(parts, new HttpLinks(parts), { ticketLifetimeMs: 1 }),
    ])
    const { ticket: expired } = readSseTicket(
      await (
        await fetch(`${shortLivedServer.http}/sync/sse/ticket`, { method: 'POST', headers: token })
      ).text(),
    )!
    await new Promise((resolve) => setTimeout(resolve, 20))
    const response = await fetch(`${shortLivedServer.http}/sync/sse?ticket=${expired}`, { headers: token })
    expect(await errorOf(response)).toMatchObject({ status: 403, error: { code: 'ticket' } })
    await shortLivedServer.close()
  })

  test.each([
    ['somebody else', { authorization: 'Bearer b' }],
    ['nobody', {}],
    ['a foreign page', { ...token, origin: 'https://evil.example' }],
  ])('[A2] a ticket does not serve %s, and is used up', async (_who, headers) => {
    const stolenTicket = await fetchTicket()
    expect((await openStream(stolenTicket, headers)).status).toBe(403)
    expect((await openStream(stolenTicket)).status).toBe(403)
    expect(server.acceptor.links).toEqual([])
  })

  test('[A6] a missing ticket, a wrong one and a wrong method are refused', async () => {
    expect((await openStream('')).status).toBe(403)
    expect((await openStream('%00%ff')).status).toBe(403)
    const get = await fetch(`${server.http}/sync/sse/ticket`, { headers: token })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const post = await fetch(`${server.http}/sync/sse?ticket=${await fetchTicket()}`, {
      method: 'POST',
      headers: token,
    })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test('[S6] send waits for a reader that does not read, and goes on when it does', async () => {
    const reading = request(`${server.http}/sync/sse?ticket=${await fetchTicket()}`, { headers: token }).end()
    const [response] = (await once(reading, 'response')) as [IncomingMessage]
    const { link } = await server.acceptor.next()
    const sending = await sendUntilStalled(link)
    response.resume()
    await sending.promise
    response.destroy()
  })
})
