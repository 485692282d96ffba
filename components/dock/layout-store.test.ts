import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { emptyLayout, withPanel } from '@/lib/windows/panel-layout.ts'
import { LayoutStore, type LayoutMirror } from './layout-store.ts'

const document = 'AbCdEfGhIjKlMnOpQrStUv'
const outline = withPanel(emptyLayout, 'outline')

function createMirror(): LayoutMirror & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
  }
}

test('a change is stored in the desk and in this browser, and the next window reads it', () => {
  const desk = { doc: new Y.Doc() }
  const localMirror = createMirror()
  const store = new LayoutStore(document, desk, localMirror)
  expect(store.get()).toBe(emptyLayout)
  store.update(() => outline)
  expect(desk.doc.getMap('layouts').get(document)).toEqual(outline)
  expect(new LayoutStore(document, desk, createMirror()).get()).toEqual(outline)
  expect(new LayoutStore(document, null, localMirror).get()).toEqual(outline)
  expect(new LayoutStore('another', desk, localMirror).get()).toEqual(emptyLayout)
})

test("the desk's layout wins once it has loaded, and changes of another device notify the listeners", () => {
  const desk = { doc: new Y.Doc() }
  const localMirror = createMirror()
  new LayoutStore(document, null, localMirror).update((layout) => withPanel(layout, 'people'))
  const store = new LayoutStore(document, desk, localMirror)
  let notifications = 0
  const stop = store.subscribe(() => notifications++)
  desk.doc.getMap('layouts').set(document, outline)
  expect([store.get(), notifications]).toEqual([outline, 1])
  desk.doc.getMap('layouts').set('another', emptyLayout)
  expect(notifications).toBe(1)
  stop()
  desk.doc.getMap('layouts').set(document, emptyLayout)
  expect(notifications).toBe(1)
})

test('a layout of another version reads as the empty default, and is not overwritten until something changes', () => {
  const desk = { doc: new Y.Doc() }
  desk.doc.getMap('layouts').set(document, { version: 9, columns: [] })
  const store = new LayoutStore(document, desk, createMirror())
  store.subscribe(() => {})
  expect(store.get()).toEqual(emptyLayout)
  expect(desk.doc.getMap('layouts').get(document)).toEqual({ version: 9, columns: [] })
})

test('a layout works with blocked or invalid storage', () => {
  const forbidden: LayoutMirror = {
    getItem: () => {
      throw new DOMException('no', 'SecurityError')
    },
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  const store = new LayoutStore(document, null, forbidden)
  store.update(() => outline)
  expect(store.get()).toEqual(outline)
  expect(new LayoutStore(document, null, { getItem: () => '{"version"', setItem() {} }).get()).toEqual(
    emptyLayout,
  )
})
