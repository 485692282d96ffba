import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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

/** Two devices whose desks are the same again after `exchange`. */
function twoDesks() {
  const desks = [{ doc: new Y.Doc() }, { doc: new Y.Doc() }] as const
  const exchange = () => {
    const [one, two] = desks
    Y.applyUpdate(two.doc, Y.encodeStateAsUpdate(one.doc))
    Y.applyUpdate(one.doc, Y.encodeStateAsUpdate(two.doc))
  }
  const keptIn = ({ doc }: { doc: Y.Doc }) => [...doc.getMap('layouts').keys()].toSorted()
  return { desks, exchange, keptIn }
}

describe('a desk holds the layouts of 100 documents', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  const fill = (desk: { doc: Y.Doc }) => {
    for (let n = 0; n < 100; n++) {
      vi.setSystemTime(n * 86_400_000)
      new LayoutStore(`document ${n}`, desk, createMirror()).update(() => outline)
    }
    vi.setSystemTime(100 * 86_400_000)
  }

  test('the one not used for longest goes; opening a document is a use', async () => {
    const {
      desks: [desk],
      keptIn,
    } = twoDesks()
    fill(desk)
    new LayoutStore('document 0', desk, createMirror()).subscribe(() => {})
    await Promise.resolve()
    new LayoutStore('new', desk, createMirror()).update(() => outline)
    expect(keptIn(desk)).toHaveLength(100)
    expect(keptIn(desk)).toContain('document 0')
    expect(keptIn(desk)).not.toContain('document 1')
    expect(desk.doc.getMap('layoutDays').size).toBe(100)
  })

  test('devices that make room at once choose the same ones', () => {
    const { desks, exchange, keptIn } = twoDesks()
    fill(desks[0])
    exchange()
    for (const [index, desk] of desks.entries())
      new LayoutStore(`new ${index}`, desk, createMirror()).update(() => outline)
    exchange()
    expect(keptIn(desks[0])).toEqual(keptIn(desks[1]))
    expect(keptIn(desks[0])).toHaveLength(101)
    new LayoutStore('new 0', desks[0], createMirror()).update(() => emptyLayout)
    expect(keptIn(desks[0])).toHaveLength(100)
  })

  test('a document that is opened writes once a day', async () => {
    const desk = { doc: new Y.Doc() }
    const store = new LayoutStore(document, desk, createMirror())
    store.update(() => outline)
    let updates = 0
    desk.doc.on('update', () => updates++)
    for (let n = 0; n < 3; n++) store.subscribe(() => {})()
    await Promise.resolve()
    expect(updates).toBe(0)
    vi.setSystemTime(86_400_000)
    for (let n = 0; n < 3; n++) store.subscribe(() => {})()
    await Promise.resolve()
    expect(updates).toBe(1)
  })
})
