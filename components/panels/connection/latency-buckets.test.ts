import { expect, test } from 'vitest'
import { bucketsOf, valuesAt } from './latency-buckets.ts'
import { editArrival, edit } from './fixtures/measured-edits.ts'

test('edits are counted by duration, from the first bucket that holds one to the last', () => {
  expect(bucketsOf([1.5, 2, 2.1, 11, 20_000]).slice(0, 4)).toEqual([
    { text: '1–2', count: 2 },
    { text: '2–3', count: 1 },
    { text: '3–5', count: 0 },
    { text: '5–8', count: 0 },
  ])
  expect(bucketsOf([1.5, 20_000]).at(-1)).toEqual({ text: 'over 8000', count: 1 })
  expect(bucketsOf([])).toEqual([])
})

test('unmeasured edits are not counted', () => {
  const edits = [
    edit({ ownPaint: 'hidden', arrivals: [editArrival({ painted: 'hidden' })] }),
    edit({ arrivals: [editArrival(), editArrival({ window: 'preview', painted: 30 })] }),
  ]
  expect(valuesAt(edits, { stage: 'ownPaint', window: '' })).toEqual([9])
  expect(valuesAt(edits, { stage: 'painted', window: 'outline' })).toEqual([14])
  expect(valuesAt(edits, { stage: 'received', window: 'outline' })).toEqual([5, 5])
  expect(valuesAt(edits, { stage: 'painted', window: '' })).toEqual([])
})
