import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MARK, markTitle, nameWindow } from './window-title.ts'

const observers = new Set<() => void>()
let onFocus = () => {}
let isChanged = false

const page = {
  head: {},
  hasFocus: () => false,
  text: '',
  /** As a document reads it: white space is stripped and collapsed. */
  get title() {
    return this.text.trim().replace(/[\t\n\f\r ]+/g, ' ')
  },
  set title(text: string) {
    this.text = text
    isChanged = true
  },
}

class FakeObserver {
  readonly #listener: () => void
  constructor(listener: () => void) {
    this.#listener = listener
  }
  observe = () => void observers.add(this.#listener)
  disconnect = () => void observers.delete(this.#listener)
}

/** Observers hear of changes, and of those that they make themselves. */
function tellObservers(): void {
  for (let turn = 0; isChanged; turn++) {
    if (turn === 100) throw new Error('The title is set for ever.')
    isChanged = false
    for (const listener of observers) listener()
  }
}

/** The metadata of a page arrive. */
function receiveMetadata(title: string): void {
  page.title = title
  tellObservers()
}

beforeEach(() => {
  vi.stubGlobal('document', page)
  vi.stubGlobal('MutationObserver', FakeObserver)
  vi.stubGlobal('addEventListener', (_type: string, listener: () => void) => (onFocus = listener))
  page.title = 'Documents'
})
afterEach(() => {
  expect(observers.size).toBe(0)
  vi.unstubAllGlobals()
})

test('a window is called by its name, also where the metadata come later, and then as its page is', () => {
  const undo = nameWindow('Budget')
  expect(page.title).toBe('Budget')
  receiveMetadata('Document')
  expect(page.title).toBe('Budget')
  undo()
  expect(page.title).toBe('Document')
})

test('a page that takes the place of a named one keeps its own title', () => {
  const undo = nameWindow('Budget')
  receiveMetadata('Documents – Diptych') // before the effects of the former page are undone
  undo()
  expect(page.title).toBe('Documents – Diptych')
})

test('of several names the latest counts, and a name that changes leaves no trace', () => {
  const undos = [nameWindow('Budget'), nameWindow('Continue as Ada?')]
  expect(page.title).toBe('Continue as Ada?')
  undos[1]!()
  expect(page.title).toBe('Budget')
  undos[0]!()
  const undo = nameWindow('Budget 2')
  undo()
  expect(page.title).toBe('Documents')
})

test.each(['Plan  B', ' Plan\tB\n', ''])(
  'a name that the document reads otherwise, %j, is set once',
  (name) => {
    const undo = nameWindow(name)
    receiveMetadata('Document')
    markTitle()
    receiveMetadata('Document')
    expect(page.title).toBe(`${MARK}${name}`.trim().replace(/\s+/g, ' '))
    onFocus()
    undo()
    expect(page.title).toBe('Document')
  },
)

test('the mark stands before whatever the window is called, until it is looked at', () => {
  markTitle()
  expect(page.title).toBe(`${MARK}Documents`)
  const undo = nameWindow('Budget')
  expect(page.title).toBe(`${MARK}Budget`)
  receiveMetadata('Document')
  expect(page.title).toBe(`${MARK}Budget`)
  undo()
  expect(page.title).toBe(`${MARK}Document`)
  onFocus()
  expect(page.title).toBe('Document')
})
