import { describe, expect, test } from 'vitest'
import type { Evidence, TransportChoice } from './choose.ts'
import { chooseTransport } from './choose.ts'
import type { TransportId } from './transport.ts'

type Past = Partial<Record<TransportId, readonly ['worked' | 'failed', at: number]>>

const offered: readonly TransportId[] = ['websocket', 'sse', 'memory']

const rows: readonly (readonly [wanted: TransportChoice, past: Past, chosen: TransportId])[] = [
  ['automatic', {}, 'websocket'],
  ['automatic', { websocket: ['worked', 5] }, 'websocket'],
  ['automatic', { websocket: ['failed', 5] }, 'sse'],
  ['automatic', { websocket: ['failed', 5], sse: ['worked', 3] }, 'sse'],
  ['automatic', { websocket: ['failed', 5], sse: ['failed', 3] }, 'memory'],
  ['automatic', { websocket: ['worked', 1], sse: ['failed', 3] }, 'websocket'],
  ['automatic', { sse: ['failed', 3] }, 'websocket'],
  // All failed: the oldest failure may be over.
  ['automatic', { websocket: ['failed', 5], sse: ['failed', 3], memory: ['failed', 4] }, 'sse'],
  ['automatic', { websocket: ['failed', 1], sse: ['failed', 3], memory: ['failed', 4] }, 'websocket'],
  // Failed at the same moment: the order of preference.
  ['automatic', { websocket: ['failed', 2], sse: ['failed', 2], memory: ['failed', 2] }, 'websocket'],
  // A person's pin is obeyed, whatever the evidence.
  ['sse', {}, 'sse'],
  ['sse', { sse: ['failed', 9], websocket: ['worked', 9] }, 'sse'],
  ['memory', { websocket: ['worked', 9] }, 'memory'],
]

const evidenceOf = (past: Past): Map<TransportId, Evidence> =>
  new Map(
    Object.entries(past).map(([id, [outcome, at]]) => {
      const transport = id as TransportId
      return [transport, { transport, at, worked: outcome === 'worked', outcome }]
    }),
  )

describe('[S5] the choice', () => {
  test.each(rows)('wanted %s, past %j: %s', (wanted, past, chosen) => {
    expect(chooseTransport({ wanted, offered, evidence: evidenceOf(past) })).toBe(chosen)
  })

  test('without any transport it says what is wrong', () => {
    expect(() => chooseTransport({ wanted: 'automatic', offered: [], evidence: new Map() })).toThrow(
      /name at least one/,
    )
  })
})
