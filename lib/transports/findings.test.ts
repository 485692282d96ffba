import { expect, test } from 'vitest'
import type { Lesson } from './evidence.ts'
import { findingsOf } from './findings.ts'
import {
  all,
  broken,
  busy,
  failed,
  knowledgeAfter,
  leaving,
  lost,
  networkChanged,
  offered,
  opening,
  proven,
  relieved,
  silent,
  uploadHeldBack,
} from './fixtures/stories.ts'

const early = (from: number): readonly Lesson[] => [proven('sse', from), lost('sse', from + 1)]

test.each<[words: string, story: readonly Lesson[]]>([
  ['not tried', []],
  ['not tried', [opening('sse')]],
  ['in use', [proven('sse')]],
  ['worked', [proven('sse'), relieved('sse', 9)]],
  ['refused (403)', [failed('sse')]],
  ['refused', [failed('sse', 0, { code: 'refused' })]],
  ['refused', [failed('sse', 0, broken)]],
  ['held back: no answer within 2.0 s', [failed('sse', 2, silent)]],
  ['closed early', early(0)],
  ['closed early twice', [...early(0), ...early(2)]],
  ['closed early three times', [...early(0), ...early(2), ...early(4)]],
  ['closed early 12 times', Array.from({ length: 12 }, (_, index) => early(index * 2)).flat()],
  ['closed early', [...early(0), proven('sse', 2), lost('sse', 30), ...early(40)]],
  ['worked until the connection broke', [proven('sse'), lost('sse', 30)]],
  ['the server is busy', [failed('sse', 0, busy)]],
  ['the server is restarting', [proven('sse'), lost('sse', 3, leaving)]],
  ['not offered by this server', [failed('sse'), offered('websocket')]],
  ['not offered by this server', [failed('sse', 0, { code: 'not-offered' })]],
  ['not tried', [failed('sse', 0, { code: 'not-offered' }), offered('sse')]],
  ['refused (403), before the network changed', [failed('sse'), networkChanged(1)]],
  ['in use', [proven('sse'), networkChanged(1)]],
  ['closed early', [...early(0), ...early(2), networkChanged(4), ...early(5)]],
  ['in use, by single requests: a streamed one was held back', [proven('sse'), uploadHeldBack]],
])('[S5] the evidence in words: %s', (words, story) => {
  const finding = findingsOf(all, knowledgeAfter(story)).find((one) => one.transport === 'sse')
  expect(finding?.words).toBe(words)
})

test('[S5] held back on one stream is said of the other; a socket that gives no answer is not held back', () => {
  const story = [
    failed('websocket', 4, { code: 'timeout', detail: 'no answer within 4.0 s' }),
    failed('sse', 6, silent),
  ]
  expect(findingsOf(all, knowledgeAfter([...story, proven('poll', 7)]))).toEqual([
    { transport: 'websocket', words: 'no answer within 4.0 s', at: 4000 },
    { transport: 'sse', words: 'held back: no answer within 2.0 s', at: 6000 },
    { transport: 'stream', words: 'held back: no answer within 2.0 s', at: 6000 },
    { transport: 'long-poll', words: 'not tried' },
    { transport: 'poll', words: 'in use', at: 7000 },
  ])
})

test('a websocket in use needs no words on uploads', () => {
  const story = [proven('websocket'), uploadHeldBack]
  expect(findingsOf(['websocket'], knowledgeAfter(story))).toEqual([
    { transport: 'websocket', words: 'in use', at: 0 },
  ])
})
