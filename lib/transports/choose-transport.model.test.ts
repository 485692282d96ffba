/** Tests the properties of the choice and of probes after any events, in any order. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CloseCode, closeCodes } from '../protocol/close.ts'
import {
  type ChoiceInput,
  chooseTransport,
  nextProbe,
  offeredOf,
  type TransportChoice,
} from './choose-transport.ts'
import { networkTransports } from './descriptors.ts'
import { applyEvent, type TransportEvent, type TransportKnowledge } from './evidence.ts'
import {
  refusedWith403,
  failed,
  knowledgeAfter,
  openingAttempt,
  proven,
  waited,
} from './fixtures/transport-events.ts'
import type { TransportId } from './transport.ts'

const rankOf = (id: TransportId): number => networkTransports.findIndex((one) => one === id)

const transport = fc.constantFrom(...networkTransports)
const reason = fc.record({
  code: fc.constantFrom<CloseCode>(...closeCodes),
  retryAfterMs: fc.constantFrom(undefined, 5000),
})
const eventAt = (at: number): fc.Arbitrary<TransportEvent> =>
  fc.oneof(
    fc.record({ type: fc.constantFrom('opening', 'proven', 'replaced'), transport, at: fc.constant(at) }),
    fc
      .record({ type: fc.constantFrom('failed', 'lost'), transport, reason, opened: fc.boolean() })
      .map((event) => ({ ...event, at }) as TransportEvent),
    fc.record({ type: fc.constantFrom('waited', 'upload held back') }),
    fc.record({ type: fc.constant('network changed'), at: fc.constant(at) }),
    fc.record({ type: fc.constant('offered'), offers: fc.subarray([...networkTransports]) }),
  ) as fc.Arbitrary<TransportEvent>
const eventSequences = fc
  .array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 25 })
  .chain((times) => fc.tuple(...times.toSorted((a, b) => a - b).map(eventAt)))
const choices = fc.constantFrom<TransportChoice>('automatic', ...networkTransports)

/** Checks what holds after any events, in any order. */
function forAnyEvents(
  holds: (input: ChoiceInput & { readonly knowledge: TransportKnowledge }) => void,
): void {
  fc.assert(
    fc.property(eventSequences, choices, (events, wanted) =>
      holds({ wanted, supported: networkTransports, knowledge: knowledgeAfter(events) }),
    ),
    { numRuns: 1000 },
  )
}

describe('[S5] whatever the evidence', () => {
  test('an offered transport is chosen, and a pin is obeyed', () => {
    forAnyEvents((input) => {
      const { transport } = chooseTransport(input)
      const usable = offeredOf(input)
      expect(usable).toContain(transport)
      if (usable.some((id) => id === input.wanted)) expect(transport).toBe(input.wanted)
    })
  })

  test('a probe names a better one than the one in use, and only on Automatic', () => {
    forAnyEvents((input) => {
      const probe = nextProbe(input)
      if (!probe) return
      const { inUse } = input.knowledge
      expect(input.wanted).toBe('automatic')
      expect(rankOf(probe.transport)).toBeLessThan(rankOf(inUse!))
      expect(offeredOf(input)).toContain(probe.transport)
    })
  })

  test('probes that keep failing come at growing intervals, up to ten minutes', () => {
    forAnyEvents(({ knowledge }) => {
      const gaps: number[] = []
      let now = 200_000
      let after = applyEvent(knowledge, proven('sse', now / 1000))
      for (let round = 0; round < 12; round++) {
        const probe = nextProbe({ wanted: 'automatic', supported: ['websocket', 'sse'], knowledge: after })
        if (!probe) return // websocket is not offered
        gaps.push(Math.max(0, probe.at - now))
        now = Math.max(now, probe.at)
        after = applyEvent(after, failed('websocket', now / 1000, refusedWith403))
      }
      const grown = gaps.slice(1)
      expect(grown).toEqual(grown.toSorted((a, b) => a - b))
      expect(grown.at(-1)).toBe(600_000)
    })
  })

  test('falling back at once ends: within one round each transport is opened once', () => {
    forAnyEvents(({ wanted, knowledge: before }) => {
      let knowledge = applyEvent({ ...before, inUse: null }, waited)
      const opened: TransportId[] = []
      for (let round = 0; round < 20; round++) {
        const { transport: next, atOnce } = chooseTransport({
          wanted,
          supported: networkTransports,
          knowledge,
        })
        if (!atOnce && opened.length > 0) break
        opened.push(next)
        knowledge = applyEvent(applyEvent(knowledge, openingAttempt(next, 300)), failed(next, 300))
      }
      expect(new Set(opened).size).toBe(opened.length)
    })
  })
})
