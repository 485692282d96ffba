import { describe, expect, test } from 'vitest'
import { nextProbe, type TransportChoice } from './choose-transport.ts'
import { networkTransports } from './descriptors.ts'
import type { TransportEvent } from './evidence.ts'
import {
  failed,
  knowledgeAfter,
  lost,
  networkChanged,
  offered,
  proven,
  replaced,
  timedOut,
} from './fixtures/transport-events.ts'

const probeAfter = (events: readonly TransportEvent[], wanted: TransportChoice = 'automatic') =>
  nextProbe({ wanted, supported: networkTransports, knowledge: knowledgeAfter(events) })

const failures = (count: number, first = 10) =>
  Array.from({ length: count }, (_, index) => failed('websocket', first + index))

describe('[S5] probing upward', () => {
  test.each<[why: string, events: readonly TransportEvent[], probe: string | null]>([
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
        replaced('sse', 11),
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
