import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networkTransports } from './descriptors.ts'
import type { CloseCode } from '../protocol/close.ts'
import { closeCodes } from '../protocol/close.ts'
import type { ChoiceInput, TransportChoice } from './choose-transport.ts'
import { chooseTransport, nextProbe, offeredOf } from './choose-transport.ts'
import { type TransportKnowledge, applyEvent, type TransportEvent, emptyKnowledge } from './evidence.ts'
import {
  refusedWith403,
  serverBusy,
  failed,
  knowledgeAfter,
  serverLeaving,
  lost,
  networkChanged,
  offered,
  openingAttempt,
  proven,
  relieved,
  timedOut,
  uploadHeldBack,
  waited,
} from './fixtures/transport-events.ts'
import type { TransportId } from './transport.ts'

const choiceAfter = (events: readonly TransportEvent[], wanted: TransportChoice = 'automatic') =>
  chooseTransport({ wanted, supported: networkTransports, knowledge: knowledgeAfter(events) })

const allFailed = networkTransports.map((id, index) => failed(id, index))
/** The link is lost after a minute. */
const steadyLink = (id: TransportId, from = 0) => [proven(id, from), lost(id, from + 60)]
const shortLink = (id: TransportId, from = 0) => [
  openingAttempt(id, from),
  proven(id, from),
  lost(id, from + 3),
]

type ChoiceCase = readonly [
  why: string,
  story: readonly TransportEvent[],
  chosen: TransportId,
  when: 'at once' | 'after a wait',
]

const choiceCases: readonly ChoiceCase[] = [
  ['the best comes first', [], 'websocket', 'at once'],
  ['a refused transport gives way to the next', [failed('websocket')], 'sse', 'at once'],
  [
    'a transport without an answer gives way to the next',
    [failed('websocket', 4, timedOut)],
    'sse',
    'at once',
  ],
  [
    'sse held back counts against stream as well',
    [failed('websocket'), failed('sse', 2, timedOut)],
    'long-poll',
    'at once',
  ],
  ['sse refused does not count against stream', [failed('websocket'), failed('sse')], 'stream', 'at once'],
  [
    'stream held back counts against sse',
    [failed('websocket'), failed('stream', 2, timedOut)],
    'long-poll',
    'at once',
  ],
  ['the simplest comes last', allFailed.slice(0, 4), 'poll', 'at once'],
  ['once all were tried, there is a wait', allFailed, 'websocket', 'after a wait'],
  ['after the wait the best comes first again', [...allFailed, waited], 'websocket', 'at once'],
  ['and then the others', [...allFailed, waited, failed('websocket', 9)], 'sse', 'at once'],
  ['a link that was steady is tried again first, after a moment', steadyLink('sse'), 'sse', 'after a wait'],
  [
    'once',
    [...steadyLink('sse'), waited, openingAttempt('sse', 61), failed('sse', 61)],
    'websocket',
    'at once',
  ],
  [
    'then the avoided transport comes last',
    [failed('websocket'), ...steadyLink('sse', 1), waited, openingAttempt('sse', 61), failed('sse', 61)],
    'stream',
    'at once',
  ],
  [
    'though it comes',
    [
      failed('websocket'),
      ...steadyLink('sse', 1),
      waited,
      openingAttempt('sse', 61),
      ...networkTransports.slice(1).map((id) => failed(id, 62)),
    ],
    'websocket',
    'at once',
  ],
  ['a transport whose link was lost early gives way to the next', shortLink('websocket'), 'sse', 'at once'],
  [
    'all lost early: a wait',
    networkTransports.flatMap((id, index) => shortLink(id, index * 4)),
    'websocket',
    'after a wait',
  ],
  [
    'all lost early, after the wait: the best again',
    [...networkTransports.flatMap((id, index) => shortLink(id, index * 4)), waited],
    'websocket',
    'at once',
  ],
  [
    'lost early, then nothing else works, after the wait: the best again',
    [...shortLink('websocket'), ...networkTransports.slice(1).map((id) => failed(id, 4)), waited],
    'websocket',
    'at once',
  ],
  [
    'a busy server is no fault of the transport',
    [failed('websocket', 0, serverBusy)],
    'websocket',
    'after a wait',
  ],
  [
    'a restarting server is no fault of the transport',
    [proven('sse'), lost('sse', 3, serverLeaving)],
    'sse',
    'after a wait',
  ],
  [
    'a refusal that asks for a wait is no fault of the transport',
    [failed('websocket', 0, { code: 'refused', retryAfterMs: 1000 })],
    'websocket',
    'after a wait',
  ],
  [
    'busy after another was refused: the busy one again',
    [failed('websocket'), failed('sse', 0, serverBusy), waited],
    'sse',
    'after a wait',
  ],
  [
    'an outage blames no transport: what failed before the working one is not avoided',
    [failed('websocket'), failed('sse'), waited, proven('sse', 1), lost('sse', 4)],
    'websocket',
    'at once',
  ],
  [
    'what failed after the working one is avoided',
    [failed('sse'), failed('websocket'), waited, proven('sse', 1), lost('sse', 4)],
    'stream',
    'at once',
  ],
  [
    'a change of network makes evidence outdated',
    [failed('websocket'), failed('sse'), networkChanged(5)],
    'websocket',
    'at once',
  ],
  ['a transport that the server does not offer is skipped', [offered('sse', 'poll')], 'sse', 'at once'],
  [
    'an endpoint that answers that the transport is not offered',
    [failed('websocket', 0, { code: 'not-offered' })],
    'sse',
    'at once',
  ],
  [
    'the transport is skipped until the server offers it again',
    [failed('websocket', 0, { code: 'not-offered' }), offered('websocket')],
    'websocket',
    'after a wait',
  ],
  ['a server that offers nothing known is tried all the same', [offered('memory')], 'websocket', 'at once'],
]

describe('[S5] the choice', () => {
  test.each(choiceCases)('%s', (_why, events, transport, when) => {
    expect(choiceAfter(events)).toEqual({ transport, streamedBody: true, atOnce: when === 'at once' })
  })

  test.each<ChoiceCase>([
    ['a pin is obeyed', [], 'poll', 'at once'],
    [
      'a pin is obeyed whatever the evidence',
      [failed('poll'), proven('websocket', 1), lost('websocket', 3)],
      'poll',
      'after a wait',
    ],
    ['a pin is obeyed also after a wait', [failed('poll'), waited], 'poll', 'at once'],
    ['a pin is not obeyed if the server does not offer it', [offered('sse', 'stream')], 'sse', 'at once'],
  ])('%s', (_why, events, transport, when) => {
    expect(choiceAfter(events, 'poll')).toMatchObject({ transport, atOnce: when === 'at once' })
  })

  test.each<[why: string, story: readonly TransportEvent[], chosen: TransportId]>([
    [
      'the better transport without bad evidence',
      [proven('websocket'), relieved('websocket', 1), proven('sse', 1)],
      'websocket',
    ],
    ['no transport that failed', [failed('websocket'), proven('stream', 1)], 'sse'],
    [
      'the transport in use, if all better ones failed',
      [failed('websocket'), failed('sse'), proven('stream', 1)],
      'stream',
    ],
  ])('back to Automatic while a link is in use: %s', (_why, events, chosen) => {
    expect(choiceAfter(events).transport).toBe(chosen)
  })

  test('a streamed upload that was held back is not tried again on this network', () => {
    const events = [proven('sse'), uploadHeldBack]
    expect(choiceAfter(events).streamedBody).toBe(false)
    expect(choiceAfter([...events, networkChanged(5)]).streamedBody).toBe(true)
  })

  test('without any transport it throws with the reason', () => {
    expect(() => chooseTransport({ wanted: 'automatic', supported: [], knowledge: emptyKnowledge })).toThrow(
      /name at least one/,
    )
  })
})

const probeAfter = (events: readonly TransportEvent[], wanted: TransportChoice = 'automatic') =>
  nextProbe({ wanted, supported: networkTransports, knowledge: knowledgeAfter(events) })

const failures = (count: number, first = 10) =>
  Array.from({ length: count }, (_, index) => failed('websocket', first + index))

describe('[S5] probing upward', () => {
  test.each<[why: string, story: readonly TransportEvent[], probe: string | null]>([
    ['the best in use: none', [proven('websocket')], null],
    ['no link: none', [failed('websocket')], null],
    ['first after 10 s', [failed('websocket'), proven('sse', 1)], 'websocket at 11'],
    ['a transport that was never tried, too', [proven('stream', 1)], 'websocket at 11'],
    ['a failed probe: 10 s after it', [proven('sse', 1), failed('websocket', 11)], 'websocket at 21'],
    ['twice as long after the second', [proven('sse', 1), ...failures(2)], 'websocket at 31'],
    ['and the third', [proven('sse', 1), ...failures(3)], 'websocket at 52'],
    ['10 minutes at most', [proven('sse', 1), ...failures(30)], 'websocket at 639'],
    [
      'won and lost within a minute: doubled again',
      [
        failed('websocket'),
        proven('sse', 1),
        relieved('sse', 11),
        proven('websocket', 11),
        lost('websocket', 14),
        proven('sse', 15),
      ],
      'websocket at 54', // 10 s, doubled for the second failure and for the short life
    ],
    [
      'one that had lasted a minute begins anew',
      [
        ...failures(5, 0),
        proven('websocket', 11),
        lost('websocket', 80),
        failed('websocket', 81),
        proven('sse', 81),
      ],
      'websocket at 91',
    ],
    [
      'the sooner one first',
      [
        failed('websocket', 0, timedOut),
        failed('websocket', 1, timedOut),
        failed('sse', 2),
        proven('long-poll', 2),
        failed('websocket', 12),
      ],
      'sse at 12',
    ],
    [
      'held back counts for both, and sse comes first',
      [
        failed('websocket'),
        failed('sse', 2, timedOut),
        proven('long-poll', 3),
        failed('websocket', 13),
        failed('sse', 14, timedOut),
      ],
      'websocket at 33',
    ],
    [
      'a change of network: at once',
      [...failures(9, 0), proven('sse', 11), networkChanged(20)],
      'websocket at 20',
    ],
    [
      'and after it failed there: 10 s',
      [...failures(9, 0), proven('sse', 11), networkChanged(20), failed('websocket', 21)],
      'websocket at 31',
    ],
    [
      'the server’s retry-after is obeyed',
      [proven('sse', 1), failed('websocket', 11, { code: 'overloaded', retryAfterMs: 60_000 })],
      'websocket at 71',
    ],
    [
      'and no more than 10 min of it: a timer of weeks would fire at once',
      [proven('sse', 1), failed('websocket', 11, { code: 'overloaded', retryAfterMs: 2 ** 31 })],
      'websocket at 611',
    ],
    [
      'no transport that the server does not offer',
      [proven('stream', 1), offered('stream', 'sse')],
      'sse at 11',
    ],
    [
      'a transport that the server did not offer before, once it does',
      [
        failed('websocket', 0, { code: 'not-offered' }),
        failed('stream', 1, timedOut),
        offered(...networkTransports),
        proven('sse', 2),
        failed('websocket', 12),
      ],
      'websocket at 22',
    ],
  ])('%s', (_why, events, probe) => {
    const next = probeAfter(events)
    expect(next && `${next.transport} at ${next.at / 1000}`).toBe(probe)
  })

  test('a pin is never probed away', () => {
    expect(probeAfter([proven('poll')], 'poll')).toBe(null)
  })
})

const rankOf = (id: TransportId): number => networkTransports.findIndex((one) => one === id)

const transport = fc.constantFrom(...networkTransports)
const reason = fc.record({
  code: fc.constantFrom<CloseCode>(...closeCodes),
  retryAfterMs: fc.constantFrom(undefined, 5000),
})
const eventAt = (at: number): fc.Arbitrary<TransportEvent> =>
  fc.oneof(
    fc.record({ type: fc.constantFrom('opening', 'proven', 'relieved'), transport, at: fc.constant(at) }),
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

/** Any events, in any order. */
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
