import { expect, test } from 'vitest'
import { emptyLayout, itemsOf, withItem, withoutWindow, withPanel } from './panel-layout.ts'
import type { OwnWindowEntry } from './window-registry.ts'
import type { WindowBounds } from './window-bounds.ts'
import { captureWorkspace, planWorkspace, readWorkspace, type Workspace } from './workspaces.ts'

const document = 'AAAAAAAAAAAAAAAAAAAAAA'
const laptop = { id: 'laptop', name: 'Chrome on Linux' }
const tablet = { id: 'tablet', name: 'Safari on iPad' }
const right: WindowBounds = { left: 1440, top: 0, width: 420, height: 900 }
const left: WindowBounds = { left: 0, top: 0, width: 420, height: 900 }

const entry = (state: Partial<OwnWindowEntry>): OwnWindowEntry => ({
  id: state.kind ?? 'text',
  place: 'p',
  n: 1,
  kind: 'text',
  document,
  title: 'Budget plan',
  device: laptop,
  openedAt: 0,
  focusedAt: 0,
  active: true,
  popup: true,
  linked: true,
  self: false,
  sameBrowser: true,
  ...state,
})

const main = entry({ self: true })
const outline = entry({ kind: 'outline', bounds: right })
const preview = entry({ kind: 'preview', bounds: left })

const contextOf = (entries: readonly OwnWindowEntry[], device = laptop) => ({ entries, document, device })

const withComments = withPanel(emptyLayout, 'comments')

const saved: Workspace = captureWorkspace(
  contextOf([main, outline]),
  withItem(withPanel(withComments, 'outline'), 'outline', { detached: true }),
  2,
)

const detachedByPanel = (layout: Workspace['layout']) =>
  Object.fromEntries(itemsOf(layout).map(({ panel, detached }) => [panel, detached]))

test('the windows of this browser that show a panel of this document are remembered', () => {
  const elsewhere = [
    entry({ kind: 'people', document: 'BBBBBBBBBBBBBBBBBBBBBA' }),
    entry({ kind: 'find', sameBrowser: false }),
    entry({ kind: 'text', id: 'another text' }),
  ]
  const workspace = captureWorkspace(contextOf([main, outline, ...elsewhere]), emptyLayout, 2)
  expect(workspace.windows).toEqual([{ panel: 'outline', bounds: right }])
})

test('a workspace is read from the desk as it was saved', () => {
  expect(readWorkspace(JSON.parse(JSON.stringify(saved)))).toEqual(saved)
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'Writing'],
  ['another version', { ...saved, version: 2 }],
  [
    'nonsense in the details',
    { version: 1, layout: 7, windows: [{ panel: 'minimap' }, null], device: 1, screens: -3 },
  ],
])('%s reads as an empty one', (_what, value) => {
  const read = readWorkspace(value)
  expect(read.windows).toEqual([])
  expect(read.layout).toEqual(emptyLayout)
  expect(read.screens).toBe(1)
})

test('where it was saved, missing windows are opened, those that are there are moved, and surplus ones are closed', () => {
  const moved = entry({ kind: 'outline', bounds: left })
  expect(planWorkspace(saved, contextOf([main]))).toMatchObject({
    open: [{ panel: 'outline', bounds: right }],
    close: [],
    move: [],
  })
  expect(planWorkspace(saved, contextOf([main, outline, preview]))).toMatchObject({
    open: [],
    close: ['preview'],
    move: [],
  })
  expect(planWorkspace(saved, contextOf([main, moved]))).toMatchObject({
    open: [],
    move: [{ id: 'outline', bounds: right }],
  })
  expect(detachedByPanel(planWorkspace(saved, contextOf([main])).layout)).toEqual({
    comments: false,
    outline: true,
  })
})

test('on another device all panels are docked in one window', () => {
  const there = planWorkspace(saved, contextOf([main], tablet))
  expect(there).toMatchObject({ open: [], close: [], move: [] })
  expect(detachedByPanel(there.layout)).toEqual({ comments: false, outline: false })
})

test('a window without a place beside the text gets one, and loses it with the window', () => {
  const workspaceWithoutPlace = captureWorkspace(contextOf([main, outline]), emptyLayout, 1)
  const { layout } = planWorkspace(workspaceWithoutPlace, contextOf([main]))
  expect(detachedByPanel(layout)).toEqual({ outline: true })
  expect(withoutWindow(layout, 'outline')).toEqual(emptyLayout)
  expect(detachedByPanel(planWorkspace(workspaceWithoutPlace, contextOf([main], tablet)).layout)).toEqual({
    outline: false,
  })
})
