import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptyLayout,
  itemOf,
  itemsOf,
  movePanel,
  movePanelAcross,
  movePanelBy,
  readLayout,
  dockPositionOf,
  withDetached,
  withItem,
  withoutPanel,
  withoutWindow,
  withPanel,
  withSizes,
  withWidth,
  type PanelLayout,
} from './panel-layout.ts'
import { panelIds, type PanelId } from './panels.ts'

const layoutOf = (...panels: PanelId[]): PanelLayout =>
  panels.reduce((layout, panel) => withPanel(layout, panel, 'right'), emptyLayout)

const panelNames = ({ left, right }: PanelLayout) =>
  [left, right].map((items) => items.map(({ panel }) => panel))

describe('a layout of another version, or what anybody stored as one', () => {
  test.each([
    undefined,
    null,
    'left',
    [],
    { left: [], right: [] },
    { version: 2, left: [{ panel: 'outline' }] },
    { version: '1' },
  ])('%j counts as no layout', (value) => expect(readLayout(value)).toEqual(emptyLayout))

  test('unknown parts of it are left out', () => {
    const read = readLayout({
      version: 1,
      left: [{ panel: 'outline', size: Number.NaN, collapsed: 'yes' }, { panel: 'minimap' }, 7],
      right: [{ panel: 'outline' }, { panel: 'find', size: 900, detached: true }],
      leftWidth: 5,
      rightWidth: 1e9,
    })
    expect(panelNames(read)).toEqual([['outline'], ['find']])
    expect(itemOf(read, 'outline')).toEqual({
      panel: 'outline',
      size: 50,
      collapsed: false,
      detached: false,
      returns: true,
    })
    // An earlier page wrote this; with it each panel returned.
    expect(itemOf(read, 'find')).toMatchObject({ size: 100, detached: true, returns: true })
    expect([read.leftWidth, read.rightWidth]).toEqual([200, 800])
  })

  test('any value can be read without an error, and reading the result again changes nothing', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const read = readLayout(value)
        expect(readLayout(read)).toEqual(read)
      }),
    )
  })
})

describe('panels move', () => {
  test('each has a side of its own, and stands there once', () => {
    const both = withPanel(withPanel(emptyLayout, 'outline'), 'comments')
    expect(panelNames(both)).toEqual([['outline'], ['comments']])
    expect(withPanel(both, 'outline')).toEqual(both)
  })

  test('one that is shown again opens where it stands', () => {
    const collapsed = withItem(layoutOf('people', 'history'), 'people', { collapsed: true })
    expect(withPanel(collapsed, 'people')).toEqual(layoutOf('people', 'history'))
  })

  test('up and down, as far as the column goes', () => {
    const layout = layoutOf('people', 'history', 'find')
    expect(panelNames(movePanelBy(layout, 'history', -1)!)).toEqual([[], ['history', 'people', 'find']])
    expect(panelNames(movePanelBy(layout, 'history', 1)!)).toEqual([[], ['people', 'find', 'history']])
    expect(movePanelBy(layout, 'people', -1)).toBeUndefined()
    expect(movePanelBy(layout, 'find', 1)).toBeUndefined()
    expect(movePanelBy(layout, 'outline', 1)).toBeUndefined()
  })

  test('across, and back to where it was', () => {
    const layout = layoutOf('people', 'history')
    expect(panelNames(movePanelAcross(layout, 'history'))).toEqual([['history'], ['people']])
    expect(movePanelAcross(movePanelAcross(layout, 'people'), 'people')).toEqual(layout)
  })

  test('one that stood beside the text does again once its window is gone, opened anew or not', () => {
    const docked = layoutOf('people', 'history')
    const away = withDetached(withDetached(docked, 'people'), 'people')
    expect(itemOf(away, 'people')?.detached).toBe(true)
    expect(withoutWindow(away, 'people')).toEqual(docked)
  })

  test('one that was opened straight into a window goes with it; once brought back, it stays', () => {
    const docked = layoutOf('people')
    const away = withDetached(withDetached(docked, 'history'), 'history')
    expect(withoutWindow(away, 'history')).toEqual(docked)
    const broughtBack = withItem(away, 'history', { detached: false })
    expect(panelNames(withoutWindow(withDetached(broughtBack, 'history'), 'history'))).toEqual([
      [],
      ['people', 'history'],
    ])
  })

  test('sizes and widths are kept within reason', () => {
    const layout = withSizes(layoutOf('people', 'history'), { people: 30, history: 0 })
    expect(itemOf(layout, 'people')?.size).toBe(30)
    expect(itemOf(layout, 'history')?.size).toBe(1)
    expect(withWidth(layout, 'left', 10_000).leftWidth).toBe(800)
  })

  test('whatever is done, every panel stands in one place at most, and reading it back is the same', () => {
    const panel = fc.constantFrom(...panelIds)
    const side = fc.constantFrom('left' as const, 'right' as const)
    const step = fc.oneof(
      fc.tuple(panel, side).map(
        ([id, to]) =>
          (layout: PanelLayout) =>
            withPanel(layout, id, to),
      ),
      panel.map((id) => (layout: PanelLayout) => withoutPanel(layout, id)),
      panel.map((id) => (layout: PanelLayout) => movePanelAcross(layout, id)),
      panel.map((id) => (layout: PanelLayout) => movePanelBy(layout, id, 1) ?? layout),
      fc.tuple(panel, side, fc.nat(12)).map(
        ([id, to, index]) =>
          (layout: PanelLayout) =>
            movePanel(layout, id, { side: to, index }),
      ),
      panel.map((id) => (layout: PanelLayout) => withDetached(layout, id)),
      panel.map((id) => (layout: PanelLayout) => withoutWindow(layout, id)),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const layout = steps.reduce((before, run) => run(before), emptyLayout)
        const ids = itemsOf(layout).map(({ panel: id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(dockPositionOf(layout, id)).toBeDefined()
        expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
      }),
    )
  })
})
