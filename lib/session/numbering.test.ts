import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Inbox, Outbox } from './numbering.ts'

const entry = (bytes: number) => (number: number) => ({ number, bytes: new Uint8Array(bytes) })

type OutboxStep =
  | { readonly act: 'add'; readonly bytes: number }
  | { readonly act: 'release up to'; readonly number: number }
  | { readonly act: 'release'; readonly number: number }
  | { readonly act: 'restart' }

const number = fc.nat(40)
const outboxSteps: fc.Arbitrary<OutboxStep[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('add' as const), bytes: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('release up to' as const), number }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('release' as const), number }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('restart' as const) }) },
  ),
  { maxLength: 60 },
)

describe('[S1] the outbox', () => {
  test('keeps what was not released, in order, numbered from 1 without a gap', () => {
    fc.assert(
      fc.property(outboxSteps, number, (steps, afterNumber) => {
        const outbox = new Outbox()
        let unreleased: { number: number; bytes: Uint8Array }[] = []
        let next = 1
        for (const step of steps) {
          if (step.act === 'add') {
            unreleased.push({ number: next, bytes: new Uint8Array(step.bytes) })
            expect(outbox.add(entry(step.bytes)).number).toBe(next++)
          } else if (step.act === 'restart') {
            expect(outbox.restart()).toEqual(unreleased)
            unreleased = []
            next = 1
          } else {
            const done = ({ number }: { number: number }) =>
              step.act === 'release' ? number === step.number : number <= step.number
            const released = step.act === 'release' ? outbox.release(done) : outbox.releaseUpTo(step.number)
            expect(released).toEqual(unreleased.filter(done))
            unreleased = unreleased.filter((entry) => !done(entry))
          }
        }
        expect(outbox.after(0)).toEqual(unreleased)
        expect(outbox.after(afterNumber)).toEqual(unreleased.filter(({ number }) => number > afterNumber))
        expect(outbox.last).toBe(next - 1)
        expect(outbox.bytes).toBe(unreleased.reduce((sum, { bytes }) => sum + bytes.length, 0))
      }),
    )
  })
})

describe('[S1] [S2] the inbox', () => {
  test('accepts each number exactly once and in order, whatever is repeated, lost or reordered', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 80 }), (arriving) => {
        const inbox = new Inbox()
        const taken: number[] = []
        for (const number of arriving) {
          const result = inbox.receive(number)
          if (result === 'take') taken.push(number)
          if (result === 'repeat') expect(taken).toContain(number)
          if (result === 'gap') expect(number).toBeGreaterThan(taken.length + 1)
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
        const received: number[] = []
        const receive = (number: number) => void (inbox.receive(number) === 'take' && received.push(number))
        for (let index = 0; index < count; index++) outbox.add(entry(1))
        let late: number[] = []
        for (let round = 0; round < 200 && received.length < count; round++) {
          for (const { number } of outbox.after(inbox.received)) {
            const fateOfMessage = fate.next().value
            if (fateOfMessage === 'late') late.push(number)
            if (fateOfMessage === 'arrives' || fateOfMessage === 'twice') receive(number)
            if (fateOfMessage === 'twice') receive(number)
          }
          late.forEach(receive)
          late = []
        }
        expect(received).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      }),
    )
  })

  test('a new session counts from 1 again', () => {
    const inbox = new Inbox()
    inbox.receive(1)
    inbox.restart()
    expect(inbox.receive(1)).toBe('take')
  })
})
