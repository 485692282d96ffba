import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { fromBase64, toBase64 } from './base64.ts'
import { closeCodes, type CloseReason } from './close.ts'
import {
  readCloseEvent,
  readFrameEvent,
  readSseTicket,
  readRefusal,
  readWebSocketClose,
  webSocketCloseCode,
  writeCloseEvent,
  writeFrameEvent,
  sseTicketFields,
  writeWebSocketReason,
} from './http.ts'

const reason: fc.Arbitrary<CloseReason> = fc.record(
  {
    code: fc.constantFrom(...closeCodes),
    detail: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    retryAfterMs: fc.nat(),
  },
  { requiredKeys: ['code'] },
)

/** Splits lines like an event stream: U+2028 ends no line. */
const dataOf = (event: string): string => /^data:([^\n\r]*)\n\n$/m.exec(event)![1]!

describe('events', () => {
  test('[T2] a frame is read as it was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (frame) => {
        expect(readFrameEvent(dataOf(writeFrameEvent(frame)))).toEqual(new Uint8Array(frame))
      }),
    )
  })

  test('[S9] a close reason is read as it was written', () => {
    fc.assert(
      fc.property(reason, (given) => {
        expect(readCloseEvent(dataOf(writeCloseEvent(given)))).toEqual(given)
      }),
    )
  })

  test('[S9] an unknown number, or an invalid text, means lost', () => {
    for (const data of ['{"number":999}', '{}', '', 'null', '[1]', '{"number":"60"}']) {
      expect(readCloseEvent(data)).toEqual({ code: 'lost' })
    }
  })
})

describe('WebSocket close', () => {
  test('[S9] a reason is read as it was written, with a long detail cut to fit 123 bytes', () => {
    fc.assert(
      fc.property(reason, (given) => {
        const text = writeWebSocketReason(given)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(123)
        const { detail, ...rest } = readWebSocketClose(webSocketCloseCode(given.code), text)
        const { detail: whole, ...others } = given
        expect(rest).toEqual(others)
        if (detail !== whole) expect(whole).toContain(detail!.replace(/.?…$/u, ''))
      }),
    )
  })

  test('[S9] an unknown number means lost; the protocol’s own codes are understood', () => {
    expect(readWebSocketClose(4999, '').code).toBe('lost')
    expect(readWebSocketClose(1006, '').code).toBe('lost')
    expect(readWebSocketClose(1009, '').code).toBe('too-large')
    expect(readWebSocketClose(1002, '').code).toBe('bad-frame')
  })
})

describe('tickets and refusals', () => {
  test('a ticket is read as it was written; any other text is no ticket', () => {
    const sseTicket = {
      ticket: 'abc',
      key: { id: 'a.b-_', secret: crypto.getRandomValues(new Uint8Array(16)) },
    }
    expect(readSseTicket(JSON.stringify(sseTicketFields(sseTicket)))).toEqual(sseTicket)
    for (const text of ['', '<html>', '{}', '{"ticket":"a","id":"b","secret":"AAAA"}', '{"ticket":1}']) {
      expect(readSseTicket(text)).toBeNull()
    }
  })

  test.each([
    [401, '{"error":{"code":"sign-in","message":"m"}}', null, { code: 'sign-in', detail: '401: m' }],
    [403, '{"error":{"code":"origin","message":"m"}}', null, { code: 'refused', detail: '403: m' }],
    [404, '{"error":{"code":"lost","message":"m"}}', null, { code: 'lost', detail: '404: m' }],
    [
      503,
      '{"error":{"code":"going-away","message":"m"}}',
      '2',
      { code: 'going-away', detail: '503: m', retryAfterMs: 2000 },
    ],
    [503, '<html>', null, { code: 'overloaded', detail: '503' }],
    [429, '', '7', { code: 'overloaded', detail: '429', retryAfterMs: 7000 }],
    [429, '', 'Fri, 31 Dec 1999 23:59:59 GMT', { code: 'overloaded', detail: '429' }],
    [413, '', null, { code: 'too-large', detail: '413' }],
    [502, '<html>', null, { code: 'refused', detail: '502' }],
  ] as const)('[S9] %i %s says what to do next', (status, text, retryAfter, expected) => {
    expect(readRefusal(status, text, retryAfter)).toEqual(expected)
  })
})

describe('base64', () => {
  type Codec = { toBase64: typeof toBase64; fromBase64: typeof fromBase64 }

  function check(codec: Codec): void {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => index * 53 + length)
      const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
      expect(codec.toBase64(bytes)).toBe(btoa(text))
      expect(codec.fromBase64(btoa(text))).toEqual(bytes)
    }
  }

  test('by the methods of this platform', () => check({ toBase64, fromBase64 }))

  test('by atob alone', async () => {
    vi.resetModules()
    vi.stubGlobal('Buffer', undefined)
    const codec: Codec = await import('./base64.ts').finally(() => vi.unstubAllGlobals())
    expect(codec.fromBase64).not.toBe(fromBase64)
    check(codec)
    expect(() => codec.fromBase64('%')).toThrow()
  })
})
