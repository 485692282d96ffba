import { expect, test } from 'vitest'
import { editArrival, edit } from './fixtures/measured-edits.ts'
import { lanesOf, lastPaintOf, spanOfLanes } from './waterfall-lanes.ts'

test('[L1] each step of an edit starts where the previous one ended', () => {
  const lanes = lanesOf(edit({ arrivals: [editArrival()] }))
  expect(lanes.map(({ window, steps }) => [window, ...steps.map(({ start, end }) => [start, end])])).toEqual([
    ['', [0, 1], [1, 9], [1, 2], [2, 4], [2, 7]],
    ['outline', [2, 5], [5, 6], [6, 14]],
  ])
  expect(spanOfLanes(lanes)).toBe(14)
})

test('[L1] a step that was not seen, not painted or refused has no time and gives the reason', () => {
  const { sent: _, acknowledged: __, saved: ___, ...unsent } = edit()
  const [own] = lanesOf({ ...unsent, ownPaint: 'hidden', refused: true })
  expect(own!.steps.filter(({ end }) => end === undefined)).toEqual([
    { name: 'Own paint', start: 1, note: 'the page was not drawn' },
    { name: 'Sent', start: 1 },
    { name: 'Acknowledged', start: 1 },
    { name: 'Saved', start: 1, note: 'refused' },
  ])
})

test('[W2] an edit that reaches a neighbour window before it leaves for the server is not drawn backwards', () => {
  const lanes = lanesOf(edit({ sent: 6, arrivals: [editArrival({ received: 3, path: 'browser' })] }))
  expect(lanes[1]!.steps[0]).toEqual({ name: 'Received', start: 3, end: 3 })
})

test('the last paint is the latest of all windows that painted', () => {
  expect(lastPaintOf(edit())).toBeUndefined()
  expect(lastPaintOf(edit({ arrivals: [editArrival({ painted: 'hidden' })] }))).toBeUndefined()
  expect(lastPaintOf(edit({ arrivals: [editArrival({ painted: 20 }), editArrival({ painted: 8 })] }))).toBe(
    20,
  )
})
