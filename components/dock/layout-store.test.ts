import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { emptyLayout, withPanel } from '@/lib/windows/layout.ts'
import { LayoutStore, type MirrorLike } from './layout-store.ts'

const document = 'AbCdEfGhIjKlMnOpQrStUv'
const outline = withPanel(emptyLayout, 'outline')

function mirror(): MirrorLike & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  }
}

test('what is changed stands in the desk, in this browser, and in the next window', () => {
  const desk = { doc: new Y.Doc() }
  const here = mirror()
  const store = new LayoutStore(document, desk, here)
  expect(store.get()).toBe(emptyLayout)
  store.update(() => outline)
  expect(desk.doc.getMap('layouts').get(document)).toEqual(outline)
  expect(new LayoutStore(document, desk, mirror()).get()).toEqual(outline)
  expect(new LayoutStore(document, null, here).get()).toEqual(outline)
  expect(new LayoutStore('another', desk, here).get()).toEqual(emptyLayout)
})

test('the desk counts once it is there, and what changes on another device is heard', () => {
  const desk = { doc: new Y.Doc() }
  const here = mirror()
  new LayoutStore(document, null, here).update((layout) => withPanel(layout, 'people'))
  const store = new LayoutStore(document, desk, here)
  let heard = 0
  const stop = store.subscribe(() => heard++)
  desk.doc.getMap('layouts').set(document, outline)
  expect([store.get(), heard]).toEqual([outline, 1])
  desk.doc.getMap('layouts').set('another', emptyLayout)
  expect(heard).toBe(1)
  stop()
  desk.doc.getMap('layouts').set(document, emptyLayout)
  expect(heard).toBe(1)
})

test('a layout of another version is a clean default, and is not written over until something changes', () => {
  const desk = { doc: new Y.Doc() }
  desk.doc.getMap('layouts').set(document, { version: 9, columns: [] })
  const store = new LayoutStore(document, desk, mirror())
  store.subscribe(() => {})
  expect(store.get()).toEqual(emptyLayout)
  expect(desk.doc.getMap('layouts').get(document)).toEqual({ version: 9, columns: [] })
})

test('storage that is forbidden, or holds nonsense, keeps nobody from a layout', () => {
  const forbidden: MirrorLike = {
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
