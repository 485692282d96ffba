import { expect, test } from 'vitest'
import { blockStyles } from './block-styles.ts'
import { blockGroup, historyGroup, markGroup } from './toolbar-items.ts'

test('each key of the text is listed once', () => {
  const items = [...historyGroup.items, ...markGroup.items, ...blockGroup.items, ...blockStyles]
  const keys = items.flatMap((item) => item.keys ?? [])
  expect(keys.length).toBeGreaterThan(10)
  expect(new Set(keys).size).toBe(keys.length)
})
