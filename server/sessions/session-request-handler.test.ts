import { describe, expect, test } from 'vitest'
import { RequestRefused } from '../../lib/session/session-requests.ts'
import { RequestRefusal, type SessionRequest } from './session-request-handler.ts'
import { type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A server that responds when the test says so. */
class HeldResponder {
  readonly requests: SessionRequest[] = []
  readonly #held: PromiseWithResolvers<Uint8Array | null>[] = []

  respond = (request: SessionRequest): Promise<Uint8Array | null> => {
    const heldResponse = Promise.withResolvers<Uint8Array | null>()
    request.signal.addEventListener('abort', () => heldResponse.reject(request.signal.reason as Error))
    this.requests.push(request)
    this.#held.push(heldResponse)
    return heldResponse.promise
  }

  respondWith(index: number, text: string): void {
    this.#held[index]!.resolve(encoder.encode(text))
  }

  refuse(index: number, error: Error): void {
    this.#held[index]!.reject(error)
  }

  respondUnknown(index: number): void {
    this.#held[index]!.resolve(null)
  }
}

const sendRequest = async (
  { handle }: FixtureWindow,
  method: string,
  signal?: AbortSignal,
): Promise<string> => decoder.decode(await handle.session.request(method, encoder.encode('?'), signal))

async function openWindow() {
  const responder = new HeldResponder()
  const fixture = await SessionFixture.open({ respond: responder.respond })
  const window = fixture.openWindow('ada')
  await window.whenSynced
  const request = (method: string, signal?: AbortSignal) => sendRequest(window, method, signal)
  return { responder, fixture, window, request }
}

describe('[S11] requests inside the session', () => {
  test('get a response each, in whatever order, and the responder gets the principal', async () => {
    const { responder, request, window } = await openWindow()
    const responses = [request('first'), request('second')]
    await waitUntil(() => responder.requests.length === 2)
    responder.respondWith(1, '2')
    responder.respondWith(0, '1')
    expect(await Promise.all(responses)).toEqual(['1', '2'])
    expect(responder.requests.map(({ method, principal }) => [method, principal.id])).toEqual(
      ['first', 'second'].map((method) => [method, window.principal.id]),
    )
  })

  test('are not sent twice over a switch of transport, and lose no response', async () => {
    const { responder, request, window } = await openWindow()
    const response = request('slow')
    await waitUntil(() => responder.requests.length === 1)
    await window.switchTransport('sse')
    responder.respondWith(0, 'late')
    expect(await response).toBe('late')
    expect(responder.requests.length).toBe(1)
  })

  test('are repeated if their response was lost in a gap', async () => {
    const { responder, request, window } = await openWindow()
    const response = request('slow')
    await waitUntil(() => responder.requests.length === 1)
    window.network.offline()
    responder.respondWith(0, 'lost')
    await new Promise(setImmediate)
    window.network.online()
    await waitUntil(() => responder.requests.length === 2)
    responder.respondWith(1, 'found')
    expect(await response).toBe('found')
  })

  test('[S3] are repeated at a server that forgot the session', async () => {
    const { responder, fixture, request } = await openWindow()
    const response = request('slow')
    await waitUntil(() => responder.requests.length === 1)
    await fixture.restart()
    await waitUntil(() => responder.requests.length === 2)
    responder.respondWith(1, 'afresh')
    expect(await response).toBe('afresh')
  })

  test('get a refusal with its reason, and no detail of an internal error', async () => {
    const { responder, request } = await openWindow()
    const errors = [request('a'), request('b'), request('c')].map((one) =>
      one.catch((error: unknown) => error),
    )
    await waitUntil(() => responder.requests.length === 3)
    responder.refuse(0, new RequestRefusal({ code: 'overloaded', detail: 'later' }))
    responder.respondUnknown(1)
    responder.refuse(2, new Error('a mistake with a secret in it'))
    const [busy, unknown, mistake] = await Promise.all(errors)
    expect(busy).toMatchObject({ reason: { code: 'overloaded', detail: 'later' } })
    expect(unknown).toMatchObject({ reason: { code: 'not-offered' } })
    expect(mistake).toMatchObject({ reason: { code: 'overloaded' } })
    expect(String(mistake)).not.toContain('secret')
  })

  test('[A6] are refused beyond a hundred at a time', async () => {
    const { responder, request } = await openWindow()
    const responses = Array.from({ length: 101 }, (_, index) =>
      request(`${index}`).catch((error: unknown) => error),
    )
    expect(await responses[100]).toMatchObject({
      reason: { code: 'overloaded', detail: expect.stringContaining('100') as string },
    })
    expect(responder.requests.length).toBe(100)
    responder.respondWith(7, 'seven')
    expect(await responses[7]).toBe('seven')
    void request('room again').catch(() => {})
    await waitUntil(() => responder.requests.length === 101)
  })

  test('are aborted when nobody waits: here by the requester, at the server with the session', async () => {
    const { responder, request, window } = await openWindow()
    const abort = new AbortController()
    const given = request('given up', abort.signal)
    const left = request('left')
    abort.abort(new Error('no longer wanted'))
    await expect(given).rejects.toThrow('no longer wanted')
    await expect(request('never', abort.signal)).rejects.toThrow('no longer wanted')
    await waitUntil(() => responder.requests.length === 2)
    responder.respondWith(0, 'for nobody')
    const refused = expect(left).rejects.toThrow(RequestRefused)
    await window.close()
    await refused
    await waitUntil(() => responder.requests[1]!.signal.aborted)
    await expect(request('after the end')).rejects.toThrow(RequestRefused)
  })
})
