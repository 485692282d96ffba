import { describe, expect, test } from 'vitest'
import type { CloseCode, CloseFate } from './close.ts'
import {
  closeCodeOf,
  closeCodes,
  closeSentence,
  closeNumber,
  describeClose,
  describeWait,
  describeRefusal,
  describeCloseWithin,
  fateOf,
} from './close.ts'

/** Numbers are on the wire: a changed one breaks windows that are open while the server is renewed. */
const table: Record<CloseCode, [number: number, fate: CloseFate]> = {
  lost: [1, 'retry'],
  'going-away': [2, 'retry'],
  timeout: [3, 'retry'],
  overloaded: [4, 'retry'],
  full: [12, 'retry'],
  drained: [6, 'retry'],
  refused: [7, 'retry'],
  'not-offered': [8, 'retry'],
  behind: [9, 'retry'],
  'handed-over': [10, 'retry'],
  'set-aside': [11, 'retry'],
  done: [20, 'stop'],
  'sign-in': [40, 'sign-in'],
  'bad-frame': [60, 'stop'],
  'bad-message': [61, 'stop'],
  'bad-update': [62, 'stop'],
  'bad-document': [63, 'stop'],
  'too-large': [64, 'stop'],
  forbidden: [65, 'stop'],
  taken: [67, 'stop'],
  'too-costly': [68, 'stop'],
  version: [66, 'stop'],
}

describe('[S9] close reasons are a closed list by fate', () => {
  test.each(Object.entries(table))('%s', (name, [number, fate]) => {
    const code = name as CloseCode
    expect(closeNumber(code)).toBe(number)
    expect(closeCodeOf(number)).toBe(code)
    expect(fateOf({ code })).toBe(fate)
  })

  test('each reason has a number of its own', () => {
    expect(new Set(closeCodes.map(closeNumber)).size).toBe(closeCodes.length)
  })

  test.each([0, 5, 99, 500, -1, 1.5, Number.NaN])('number %d is unknown, which means retry', (number) => {
    expect(fateOf({ code: closeCodeOf(number) })).toBe('retry')
  })

  test('each reason has a sentence, and may have a detail', () => {
    for (const code of closeCodes) {
      expect(describeClose({ code })).toBe(closeSentence(code))
      expect(describeClose({ code, detail: '403' })).toBe(`${closeSentence(code)} (403)`)
    }
  })

  test('for a refused edit `forbidden` does not mean that there is no document', () => {
    const detail = 'You can only view this document.'
    expect(describeRefusal({ code: 'forbidden', detail })).toBe(detail)
    expect(describeRefusal({ code: 'forbidden' })).toBe('You may not make this change.')
    expect(describeRefusal({ code: 'too-large' })).toBe(closeSentence('too-large'))
  })

  test('who waits for space is told whose space it is', () => {
    const detail = 'Ada’s space is full.'
    expect(describeWait({ code: 'full', detail })).toBe(detail)
    expect(describeWait({ code: 'full' })).toBe(closeSentence('full'))
    expect(describeWait({ code: 'set-aside', detail })).toBe(describeClose({ code: 'set-aside', detail }))
  })

  test('a reason also fits within another sentence', () => {
    expect(describeCloseWithin({ code: 'lost' })).toBe('the connection broke')
    expect(describeCloseWithin({ code: 'lost', detail: '403' })).toBe('the connection broke (403)')
  })
})

test('what a person reads of a refusal names no setting of the server', () => {
  const reason = {
    code: 'overloaded',
    detail: '3 windows are open already (LIMIT_SESSIONS_OF_PERSON)',
  } as const
  for (const describeReason of [describeClose, describeWait, describeRefusal, describeCloseWithin])
    expect(describeReason(reason)).toMatch(/\(3 windows are open already\)$/)
})
