import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LinkHeadReader, nodeOf, encodeLinkHead } from './link-key.ts'

const key = fc.record({
  id: fc.stringMatching(/^[\w.-]{1,100}$/),
  secret: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((secret) => new Uint8Array(secret)),
})

describe('the head of a body', () => {
  test('[S10] is read with the bytes after it, wherever the body is cut', () => {
    const rest = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(key, rest, fc.nat(), fc.nat(), (given, behind, one, other) => {
        const body = Uint8Array.of(...encodeLinkHead(given), ...behind)
        const [first, second] = [one, other].map((cut) => cut % (body.length + 1)).toSorted((a, b) => a - b)
        const reader = new LinkHeadReader()
        const chunks = [body.subarray(0, first), body.subarray(first, second), body.subarray(second)]
        const left: number[] = []
        for (const chunk of chunks) {
          if (left.length > 0) left.push(...chunk)
          else {
            const head = reader.push(chunk)
            if (!head) continue
            expect(head.key).toEqual(given)
            left.push(-1, ...head.rest)
          }
        }
        expect(left).toEqual([-1, ...behind])
      }),
    )
  })

  test('[A6] an id that is too long, or no text, is refused at its first byte or its last', () => {
    expect(() => new LinkHeadReader().push(Uint8Array.of(101))).toThrow(/100 bytes/)
    expect(() => new LinkHeadReader().push(Uint8Array.of(0x80))).toThrow(/100 bytes/)
    expect(() => new LinkHeadReader().push(Uint8Array.of(1, 0xff, ...new Uint8Array(16)))).toThrow(/UTF-8/)
    expect(() => encodeLinkHead({ id: 'x'.repeat(101), secret: new Uint8Array(16) })).toThrow(RangeError)
  })

  test('[S10] an id names its node', () => {
    expect(nodeOf('a.Xy-z_.1')).toBe('a')
    expect(nodeOf('nothing')).toBe('nothing')
  })
})
