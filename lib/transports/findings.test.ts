import { expect, test } from 'vitest'
import { networkTransports } from './descriptors.ts'
import type { TransportEvent } from './evidence.ts'
import { findingsOf } from './findings.ts'
import type { TransportId } from './transport.ts'
import {
  connectionLost,
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
} from './fixtures/transport-events.ts'

const shortLink = (from: number): readonly TransportEvent[] => [proven('sse', from), lost('sse', from + 1)]

test.each<[words: string, events: readonly TransportEvent[]]>([
  ['not tried', []],
  ['not tried', [openingAttempt('sse')]],
  ['in use', [proven('sse')]],
  ['worked', [proven('sse'), replaced('sse', 9)]],
  ['refused (403)', [failed('sse')]],
  ['refused', [failed('sse', 0, { code: 'refused' })]],
  ['refused', [failed('sse', 0, connectionLost)]],
  ['held back: no answer within 2.0 s', [failed('sse', 2, timedOut)]],
  ['closed early', shortLink(0)],
  ['closed early twice', [...shortLink(0), ...shortLink(2)]],
  ['closed early three times', [...shortLink(0), ...shortLink(2), ...shortLink(4)]],
  ['closed early 12 times', Array.from({ length: 12 }, (_, index) => shortLink(index * 2)).flat()],
  ['closed early', [...shortLink(0), proven('sse', 2), lost('sse', 30), ...shortLink(40)]],
  ['worked until the connection broke', [proven('sse'), lost('sse', 30)]],
  ['the server is busy', [failed('sse', 0, serverBusy)]],
  ['the server is restarting', [proven('sse'), lost('sse', 3, serverLeaving)]],
  ['not offered by this server', [failed('sse'), offered('websocket')]],
  ['not offered by this server', [failed('sse', 0, { code: 'not-offered' })]],
  ['not tried', [failed('sse', 0, { code: 'not-offered' }), offered('sse')]],
  ['refused (403), before the network changed', [failed('sse'), networkChanged(1)]],
  ['in use', [proven('sse'), networkChanged(1)]],
  ['closed early', [...shortLink(0), ...shortLink(2), networkChanged(4), ...shortLink(5)]],
  ['in use, by single requests: a streamed one was held back', [proven('sse'), uploadHeldBack]],
])('[S5] the evidence in words: %s', (words, events) => {
  const finding = findingsOf(networkTransports, knowledgeAfter(events)).find((one) => one.transport === 'sse')
  expect(finding?.words).toBe(words)
})

test('[S5] both streams count as held back if one is; a socket without an answer does not', () => {
  const events = [
    failed('websocket', 4, { code: 'timeout', detail: 'no answer within 4.0 s' }),
    failed('sse', 6, timedOut),
  ]
  const tried: Partial<Record<TransportId, object>> = {
    websocket: { words: 'no answer within 4.0 s', at: 4000 },
    sse: { words: 'held back: no answer within 2.0 s', at: 6000 },
    stream: { words: 'held back: no answer within 2.0 s', at: 6000 },
    poll: { words: 'in use', at: 7000 },
  }
  expect(findingsOf(networkTransports, knowledgeAfter([...events, proven('poll', 7)]))).toEqual(
    networkTransports.map((transport) => ({ transport, words: 'not tried', ...tried[transport] })),
  )
})

test('a websocket in use has no note on uploads', () => {
  const events = [proven('websocket'), uploadHeldBack]
  expect(findingsOf(['websocket'], knowledgeAfter(events))).toEqual([
    { transport: 'websocket', words: 'in use', at: 0 },
  ])
})
