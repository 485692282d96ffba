import { describe, expect, test } from 'vitest'
import { chooseTransport, type TransportChoice } from './choose-transport.ts'
import { networkTransports } from './descriptors.ts'
import { emptyKnowledge, type TransportEvent } from './evidence.ts'
import {
  serverBusy,
  failed,
  knowledgeAfter,
  serverLeaving,
  lost,
  networkChanged,
  offered,
  openingAttempt,
  proven,
  replaced,
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
  events: readonly TransportEvent[],
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
  ['the simplest comes last', allFailed.slice(0, -1), networkTransports.at(-1)!, 'at once'],
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

  test.each<[why: string, events: readonly TransportEvent[], chosen: TransportId]>([
    [
      'the better transport without bad evidence',
      [proven('websocket'), replaced('websocket', 1), proven('sse', 1)],
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
