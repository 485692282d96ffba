import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Inbox, Outbox } from './numbering.ts'

const entry = (bytes: number) => (number: number) => ({ number, bytes: new Uint8Array(bytes) })

type Act =
  | { readonly act: 'add'; readonly bytes: number }
  | { readonly act: 'release up to'; readonly number: number }
  | { readonly act: 'release'; readonly number: number }
  | { readonly act: 'restart' }

const number = fc.nat(40)
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('add' as const), bytes: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('release up to' as const), number }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('release' as const), number }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('restart' as const) }) },
  ),
  { maxLength: 60 },
)

describe('[S1] the outbox', () => {
  test('keeps what was not let go, in order, numbered from 1 without a hole', () => {
    fc.assert(
      fc.property(acts, number, (story, asked) => {
        const outbox = new Outbox()
        let kept: { number: number; bytes: Uint8Array }[] = []
        let next = 1
        for (const one of story) {
          if (one.act === 'add') {
            kept.push({ number: next, bytes: new Uint8Array(one.bytes) })
            expect(outbox.add(entry(one.bytes)).number).toBe(next++)
          } else if (one.act === 'restart') {
            expect(outbox.restart()).toEqual(kept)
            kept = []
            next = 1
          } else {
            const done = ({ number }: { number: number }) =>
              one.act === 'release' ? number === one.number : number <= one.number
            const released = one.act === 'release' ? outbox.release(done) : outbox.releaseUpTo(one.number)
            expect(released).toEqual(kept.filter(done))
            kept = kept.filter((entry) => !done(entry))
          }
        }
        expect(outbox.after(0)).toEqual(kept)
        expect(outbox.after(asked)).toEqual(kept.filter(({ number }) => number > asked))
        expect(outbox.last).toBe(next - 1)
        expect(outbox.bytes).toBe(kept.reduce((sum, { bytes }) => sum + bytes.length, 0))
      }),
    )
  })
})

describe('[S1] [S2] the inbox', () => {
  test('takes each number exactly once and in order, whatever is repeated, lost or out of turn', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 80 }), (arriving) => {
        const inbox = new Inbox()
        const taken: number[] = []
        for (const number of arriving) {
          const turn = inbox.turnOf(number)
          if (turn === 'take') taken.push(number)
          if (turn === 'repeat') expect(taken).toContain(number)
          if (turn === 'gap') expect(number).toBeGreaterThan(taken.length + 1)
        }
        expect(taken).toEqual(taken.map((_, index) => index + 1))
        expect(inbox.received).toBe(taken.length)
      }),
    )
  })

  test('two ends over a line that loses, repeats and reorders: everything arrives once and in order', () => {
    const fates = fc.infiniteStream(fc.constantFrom('arrives', 'lost', 'twice', 'late'))
    fc.assert(
      fc.property(fates, fc.integer({ min: 1, max: 20 }), (fate, count) => {
        const outbox = new Outbox()
        const inbox = new Inbox()
        const heard: number[] = []
        const hear = (number: number) => void (inbox.turnOf(number) === 'take' && heard.push(number))
        for (let index = 0; index < count; index++) outbox.add(entry(1))
        let late: number[] = []
        for (let round = 0; round < 200 && heard.length < count; round++) {
          for (const { number } of outbox.after(inbox.received)) {
            const what = fate.next().value
            if (what === 'late') late.push(number)
            if (what === 'arrives' || what === 'twice') hear(number)
            if (what === 'twice') hear(number)
          }
          late.forEach(hear)
          late = []
        }
        expect(heard).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      }),
    )
  })

  test('a new session counts from 1 again', () => {
    const inbox = new Inbox()
    inbox.turnOf(1)
    inbox.restart()
    expect(inbox.turnOf(1)).toBe('take')
  })
})
