import type { Editor } from '@tiptap/core'
import { expect, test } from 'vitest'
import { formatGroups } from '@/components/blocks/blocks.ts'
import { blockStyles } from './block-styles.ts'
import { blockGroup, historyGroup, markGroup } from './toolbar-items.ts'

test('each key of the text is listed once', () => {
  const formats = formatGroups.flatMap((group) => group.formats)
  const items = [...historyGroup.items, ...markGroup.items, ...formats, ...blockGroup.items, ...blockStyles]
  const keys = items.flatMap((item) => item.keys ?? [])
  expect(keys.length).toBeGreaterThan(10)
  expect(new Set(keys).size).toBe(keys.length)
})

test('undo and redo are available while there is a step, and checking that creates no command', () => {
  const steps = { undo: ['a step'], redo: [] as string[] }
  const undo = { nextItem: (direction: 'undo' | 'redo') => steps[direction].at(-1) }
  const editor = { storage: { sharedUndo: { undo } } } as unknown as Editor
  const can = () => historyGroup.items.map(({ canRun }) => canRun?.(editor))
  expect(can()).toEqual([true, false])
  steps.redo.push(steps.undo.pop()!)
  expect(can()).toEqual([false, true])
})
