/** What the contract cannot test with a real server: endpoints that break, hold back or answer wrongly. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ANSWERS, CUTS, FakeEndpoints, waitForSilence } from './fixtures/fake-endpoints.ts'
import { sse } from './sse.ts'

describe('sse at an endpoint that', () => {
  let endpoints: FakeEndpoints
  beforeEach(async () => {
    endpoints = await FakeEndpoints.open()
  })
  afterEach(() => endpoints.close())

  const open = () => endpoints.openLink(sse, { streamedBody: false })

  test.each(['end', 'destroy'] as const)(
    '[T3] %ss its events: the EventSource does not come back',
    async (how) => {
      const { received } = await open()
      endpoints.latestResponse('events')[how]()
      expect((await received.closed).code).toBe('lost')
      await waitForSilence()
      expect(endpoints.requestedNames).toEqual(['ticket', 'events'])
    },
  )

  test.each([
    ['ticket', ANSWERS(503, { 'retry-after': '3' }), { code: 'overloaded', retryAfterMs: 3000 }],
    ['ticket', ANSWERS(401), { code: 'sign-in' }],
    ['ticket', ANSWERS(201), { code: 'refused' }],
    ['ticket', CUTS, { code: 'refused' }],
    ['events', ANSWERS(502), { code: 'refused', detail: expect.stringContaining('502') as string }],
    ['events', ANSWERS(200, { 'content-type': 'text/html' }), { code: 'refused' }],
    ['events', CUTS, { code: 'refused' }],
  ] as const)('[T1] [T3] refuses the %s: one request, one reason', async (endpoint, answer, reason) => {
    endpoints.answers[endpoint] = answer
    await expect(open()).rejects.toMatchObject({ reason })
    await waitForSilence()
    expect(endpoints.count(endpoint)).toBe(1)
  })

  test('[A6] sends an event that is too large: the link closes and names the limit', async () => {
    const { received } = await open()
    endpoints.latestResponse('events').write(`data:${'AAAA'.repeat(90_000)}\n\n`)
    expect(await received.closed).toMatchObject({
      code: 'too-large',
      detail: expect.stringContaining('MAX_FRAME_BYTES') as string,
    })
  })

  test('[T1] neither ends the events nor reads the close: the link releases both requests all the same', async () => {
    const { link } = await open()
    endpoints.answers['up'] = () => {}
    link.close({ code: 'drained' })
    await expect.poll(() => endpoints.latestResponse('events').closed, { timeout: 10_000 }).toBe(true)
    await expect.poll(() => endpoints.latestResponse('up').closed).toBe(true)
  })
})
