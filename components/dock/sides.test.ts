import { expect, test } from 'vitest'
import { emptyLayout, withItem, withPanel, type Layout } from '@/lib/windows/layout.ts'
import { chipsInRow, columnOf } from './sides'

const panels = ['outline', 'find', 'people'] as const
const docked = panels.reduce<Layout>((layout, panel) => withPanel(layout, panel), emptyLayout)
const detach = (layout: Layout, ...names: (typeof panels)[number][]) =>
  names.reduce((now, name) => withItem(now, name, { detached: true }), layout)

test.each([
  ['all are docked', docked, true, ['outline', 'find'], ['people'], []],
  ['a chip keeps its place among panels', detach(docked, 'find'), true, ['outline', 'find'], ['people'], []],
  ['a side of chips alone', detach(docked, 'people'), true, ['outline', 'find'], [], ['people']],
  ['all are elsewhere', detach(docked, ...panels), true, [], [], ['outline', 'find', 'people']],
  ['there is no room for columns', detach(docked, 'find'), false, [], [], ['find']],
] as const)('%s', (_, layout, isWide, left, right, row) => {
  const dock = { layout, isWide, lost: [] }
  expect(columnOf(dock, 'left').map(({ panel }) => panel)).toEqual(left)
  expect(columnOf(dock, 'right').map(({ panel }) => panel)).toEqual(right)
  expect(chipsInRow(dock)).toEqual(row)
})

test('what is in no window any more has no chip', () => {
  const dock = { layout: detach(docked, 'people'), isWide: true, lost: ['people'] as const }
  expect(chipsInRow(dock)).toEqual([])
})
