import { expect, test } from 'vitest'
import { emptyLayout, withItem, withPanel, type PanelLayout } from '@/lib/windows/panel-layout.ts'
import { detachedPanelsInRow, columnItemsOf } from './dock-items.ts'

const panels = ['outline', 'find', 'people'] as const
const docked = panels.reduce<PanelLayout>((layout, panel) => withPanel(layout, panel), emptyLayout)
const withDetachedPanels = (layout: PanelLayout, ...names: (typeof panels)[number][]) =>
  names.reduce((now, name) => withItem(now, name, { detached: true }), layout)

test.each([
  ['all are docked', docked, true, ['outline', 'find'], ['people'], []],
  [
    'a chip keeps its place among panels',
    withDetachedPanels(docked, 'find'),
    true,
    ['outline', 'find'],
    ['people'],
    [],
  ],
  ['a side has only chips', withDetachedPanels(docked, 'people'), true, ['outline', 'find'], [], ['people']],
  ['all are detached', withDetachedPanels(docked, ...panels), true, [], [], ['outline', 'find', 'people']],
  ['there is no room for columns', withDetachedPanels(docked, 'find'), false, [], [], ['find']],
] as const)('%s', (_, layout, hasColumns, left, right, row) => {
  const dock = { layout, hasColumns, lostPanels: [] }
  expect(columnItemsOf(dock, 'left').map(({ panel }) => panel)).toEqual(left)
  expect(columnItemsOf(dock, 'right').map(({ panel }) => panel)).toEqual(right)
  expect(detachedPanelsInRow(dock)).toEqual(row)
})

test('a detached panel without a window has no chip', () => {
  const dock = {
    layout: withDetachedPanels(docked, 'people'),
    hasColumns: true,
    lostPanels: ['people'] as const,
  }
  expect(detachedPanelsInRow(dock)).toEqual([])
})
