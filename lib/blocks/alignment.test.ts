import { expect, test } from 'vitest'
import { alignedKind, alignmentFields, alignmentOf } from './alignment.ts'
import { hostileValues } from './fixtures/hostile-values.ts'

test.each(hostileValues)('%s is no alignment', (_label, align) => {
  expect(alignmentOf({ align })).toBeNull()
  expect(alignmentFields({ align })).toEqual({})
  expect(alignedKind('paragraph', { align })).toBe('paragraph')
})

test('an alignment is drawn by its name, and named where two texts are compared', () => {
  expect(alignmentFields({ align: 'end' })).toEqual({ 'data-align': 'end' })
  expect(alignedKind('heading 2', { align: 'center' })).toBe('heading 2, centered')
})
