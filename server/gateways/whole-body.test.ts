import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GatewayRequest } from './gateway-request.ts'
import { DISCARD_MS } from './http-refusals.ts'
import { readWholeBody } from './whole-body.ts'
import { settle } from '../../lib/fixtures/wait.ts'

/** Like a request within HTTP/2: it closes with its answer, not with its end. */
let body: PassThrough
const readBody = (limit: number) => readWholeBody(body as unknown as GatewayRequest, limit)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  body = new PassThrough({ autoDestroy: false })
})
afterEach(() => vi.useRealTimers())

test('[A6] bytes beyond the limit are discarded once, and then cut', async () => {
  const reading = readBody(4)
  const refusal = expect(reading).rejects.toMatchObject({ reason: { code: 'too-large' } })
  body.write('12345')
  await refusal
  const listeners = body.listenerCount('close')
  for (let chunk = 0; chunk < 20; chunk++) {
    body.write('more')
    await settle()
  }
  expect(body.listenerCount('close')).toBe(listeners)
  vi.advanceTimersByTime(DISCARD_MS)
  expect(body.destroyed).toBe(true)
})

test('[A6] a complete request is not cut, however long its answer takes', async () => {
  const reading = readBody(4)
  body.end('1234')
  expect(Buffer.from(await reading).toString()).toBe('1234')
  vi.advanceTimersByTime(60_000)
  expect(body.destroyed).toBe(false)
})

test('[A6] an incomplete request is cut after 10 s', async () => {
  const reading = readBody(4)
  const refusal = expect(reading).rejects.toMatchObject({ code: 'lost' })
  body.write('12')
  vi.advanceTimersByTime(10_000)
  await refusal
})
