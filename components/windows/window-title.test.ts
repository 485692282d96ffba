import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TITLE_MARK, setNamePrefix, showTitleMark, setWindowName } from './window-title.ts'

const observers = new Set<() => void>()
let onFocus = () => {}
let isChanged = false

const fakeDocument = {
  head: {},
  hasFocus: () => false,
  text: '',
  /** Returns the title as a document does: white space is stripped and collapsed. */
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

/** Notifies observers of changes, including those they make themselves. */
function notifyObservers(): void {
  for (let round = 0; isChanged; round++) {
    if (round === 100) throw new Error('The title is set for ever.')
    isChanged = false
    for (const listener of observers) listener()
  }
}

/** Simulates the arrival of a page's metadata. */
function receiveMetadata(title: string): void {
  fakeDocument.title = title
  notifyObservers()
}

beforeEach(() => {
  vi.stubGlobal('document', fakeDocument)
  vi.stubGlobal('MutationObserver', FakeObserver)
  vi.stubGlobal('addEventListener', (_type: string, listener: () => void) => (onFocus = listener))
  fakeDocument.title = 'Documents'
})
afterEach(() => {
  expect(observers.size).toBe(0)
  vi.unstubAllGlobals()
})

test("a window keeps its name when the metadata arrive later, and then gets its page's title back", () => {
  const undo = setWindowName('Budget')
  expect(fakeDocument.title).toBe('Budget')
  receiveMetadata('Document')
  expect(fakeDocument.title).toBe('Budget')
  undo()
  expect(fakeDocument.title).toBe('Document')
})

test('a page that replaces a named one keeps its own title', () => {
  const undo = setWindowName('Budget')
  receiveMetadata('Documents – Diptych') // before the former page's effects are undone
  undo()
  expect(fakeDocument.title).toBe('Documents – Diptych')
})

test('the latest of several names counts, and a changed name leaves no trace', () => {
  const undos = [setWindowName('Budget'), setWindowName('Continue as Ada?')]
  expect(fakeDocument.title).toBe('Continue as Ada?')
  undos[1]!()
  expect(fakeDocument.title).toBe('Budget')
  undos[0]!()
  const undo = setWindowName('Budget 2')
  undo()
  expect(fakeDocument.title).toBe('Documents')
})

test.each(['Plan  B', ' Plan\tB\n', ''])('a name that the document normalises, %j, is set once', (name) => {
  const undo = setWindowName(name)
  receiveMetadata('Document')
  showTitleMark()
  receiveMetadata('Document')
  expect(fakeDocument.title).toBe(`${TITLE_MARK}${name}`.trim().replace(/\s+/g, ' '))
  onFocus()
  undo()
  expect(fakeDocument.title).toBe('Document')
})

test('the mark is before any window name until the person looks at the window', () => {
  showTitleMark()
  expect(fakeDocument.title).toBe(`${TITLE_MARK}Documents`)
  const undo = setWindowName('Budget')
  expect(fakeDocument.title).toBe(`${TITLE_MARK}Budget`)
  receiveMetadata('Document')
  expect(fakeDocument.title).toBe(`${TITLE_MARK}Budget`)
  undo()
  expect(fakeDocument.title).toBe(`${TITLE_MARK}Document`)
  onFocus()
  expect(fakeDocument.title).toBe('Document')
})

test('a prefix stands before any name, behind the mark, and leaves no trace', () => {
  const undoPrefix = setNamePrefix('Proposal: ')
  expect(fakeDocument.title).toBe('Proposal: Documents')
  receiveMetadata('Document')
  const undo = setWindowName('Budget')
  showTitleMark()
  expect(fakeDocument.title).toBe(`${TITLE_MARK}Proposal: Budget`)
  onFocus()
  undoPrefix()
  expect(fakeDocument.title).toBe('Budget')
  undo()
  expect(fakeDocument.title).toBe('Document')
})
