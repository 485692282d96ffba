import * as Y from 'yjs'
import { expect, test } from 'vitest'
import {
  lineBreak,
  paragraph,
  type BlockSketch,
  textWith,
  appendBlocks,
} from '../text/fixtures/text-sketches.ts'
import { textOfRange, linesOf } from '../text/lines.ts'
import { treeOf } from '../text/tree.ts'
import { locateAnchor } from './anchor.ts'
import { threadAnchorOf } from './thread-anchor.ts'
import type { ThreadAnchor } from './stored-thread.ts'

class AnchoredText {
  readonly fragment: Y.XmlFragment

  constructor(...blocks: BlockSketch[]) {
    this.fragment = textWith(...blocks)
  }

  get doc(): Y.Doc {
    return this.fragment.doc!
  }

  get lines() {
    return linesOf(treeOf(this.fragment))
  }

  /** Anchors a comment to the first occurrence of some words, which may end in a later line. */
  comment(words: string, until = words): ThreadAnchor {
    const { texts } = this.lines
    const from = texts.findIndex((text) => text.includes(words))
    const to = texts.findIndex((text, line) => line >= from && text.includes(until))
    return threadAnchorOf(this.lines, {
      from: { line: from, offset: texts[from]!.indexOf(words) },
      to: { line: to, offset: texts[to]!.indexOf(until) + until.length },
    })!
  }

  /** The letters that an anchor refers to now. */
  quoteAt(anchor: ThreadAnchor): string | null {
    const stretch = locateAnchor(this.fragment, this.lines, anchor)
    return stretch && textOfRange(this.lines, stretch)
  }

  /** The text node of a block. */
  node(block: number): Y.XmlText {
    return (this.fragment.get(block) as Y.XmlElement).get(0) as Y.XmlText
  }

  lineText(block: number): string {
    return this.lines.texts[block]!
  }

  /** Splits a block as the editor does: the letters after the caret become new text in a new block. */
  split(block: number, offset: number): void {
    const rest = this.lineText(block).slice(offset)
    this.doc.transact(() => {
      this.node(block).delete(offset, rest.length)
      const element = new Y.XmlElement('paragraph')
      element.insert(0, [new Y.XmlText(rest)])
      this.fragment.insert(block + 1, [element])
    })
  }
}

const text = () =>
  new AnchoredText(
    paragraph('The quick brown fox'),
    paragraph('jumps over'),
    paragraph('the lazy dog. The end.'),
  )

test('a comment keeps to its words while people write before, within and after them', () => {
  const at = text()
  const anchor = at.comment('brown fox')
  expect(anchor).toMatchObject({ quote: 'brown fox', before: 'The quick ', after: '' })
  at.node(0).insert(0, 'See: ')
  at.node(0).insert(at.lineText(0).indexOf('own'), 'OWN-')
  at.node(0).insert(at.lineText(0).length, ' again')
  expect(at.quoteAt(anchor)).toBe('brOWN-own fox')
})

test('it does not grow by what is written beside it', () => {
  const at = text()
  const anchor = at.comment('quick')
  at.node(0).insert(4, 'very ')
  at.node(0).insert(at.lineText(0).indexOf(' brown'), 'est')
  expect(at.quoteAt(anchor)).toBe('quick')
})

test('what is selected beside the words, blanks and ends of lines, does not belong to it', () => {
  const at = text()
  const all = threadAnchorOf(at.lines, { from: { line: 0, offset: 9 }, to: { line: 1, offset: 0 } })!
  expect(all.quote).toBe('brown fox')
  expect(threadAnchorOf(at.lines, { from: { line: 0, offset: 3 }, to: { line: 0, offset: 4 } })).toBeNull()
  expect(threadAnchorOf(at.lines, { from: { line: 0, offset: 19 }, to: { line: 1, offset: 0 } })).toBeNull()
})

test('it may cover several lines', () => {
  const at = text()
  const anchor = at.comment('fox', 'lazy')
  expect(anchor.quote).toBe('fox\njumps over\nthe lazy')
  at.node(1).insert(0, 'then ')
  expect(at.quoteAt(anchor)).toBe('fox\nthen jumps over\nthe lazy')
})

test('text deleted under a thread is gone, and comes back with an undo', () => {
  const at = text()
  const anchor = at.comment('brown fox')
  const undo = new Y.UndoManager(at.fragment)
  at.node(0).delete(4, 15)
  expect(at.quoteAt(anchor)).toBeNull()
  undo.undo()
  expect(at.quoteAt(anchor)).toBe('brown fox')
})

test('where a part of the words is deleted, the comment keeps to the rest', () => {
  const at = text()
  const anchor = at.comment('quick brown fox')
  at.node(0).delete(4, 6)
  expect(at.quoteAt(anchor)).toBe('brown fox')
})

test('where the first of its lines is deleted, the comment keeps to the rest', () => {
  const at = text()
  const anchor = at.comment('fox', 'lazy')
  at.fragment.delete(0, 1)
  expect(at.quoteAt(anchor)).toBe('the lazy')
})

test('two windows agree, whoever deletes and whoever writes', () => {
  const [at, other] = [text(), new Y.Doc()]
  const anchor = at.comment('brown fox')
  Y.applyUpdate(other, Y.encodeStateAsUpdate(at.doc))
  const theirs = other.getXmlFragment('default')
  ;((theirs.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(12, 'ish')
  at.node(0).delete(0, 10)
  Y.applyUpdate(other, Y.encodeStateAsUpdate(at.doc))
  Y.applyUpdate(at.doc, Y.encodeStateAsUpdate(other))
  const lines = linesOf(treeOf(theirs))
  expect(textOfRange(lines, locateAnchor(theirs, lines, anchor)!)).toBe(at.quoteAt(anchor))
  expect(at.quoteAt(anchor)).toBe('brishown fox')
})

test('text that is cut and pasted elsewhere is found by its words', () => {
  const at = text()
  const anchor = at.comment('The quick brown fox')
  at.fragment.delete(0, 1)
  expect(at.quoteAt(anchor)).toBeNull()
  appendBlocks(at.fragment, [paragraph('Then: The quick brown fox!')])
  expect(at.quoteAt(anchor)).toBe('The quick brown fox')
})

test.each([
  ['before', 4],
  ['within', 8],
  ['behind', 15],
])('a line that is split %s the words keeps them', (_where, offset) => {
  const at = text()
  const anchor = at.comment('quick brown')
  at.split(0, offset)
  expect(at.quoteAt(anchor)!.replace('\n', '')).toBe('quick brown')
})

test('what stands around a few words tells them from equal ones', () => {
  const at = new AnchoredText(
    paragraph('One the other.'),
    paragraph('Take the lazy dog home.'),
    paragraph('the end'),
  )
  const anchor = threadAnchorOf(at.lines, { from: { line: 1, offset: 5 }, to: { line: 1, offset: 8 } })!
  expect(anchor.quote).toBe('the')
  at.split(1, 0)
  expect(locateAnchor(at.fragment, at.lines, anchor)!.from.line).toBe(2)
  at.fragment.delete(2, 1)
  expect(at.quoteAt(anchor)).toBeNull()
})

test('equal words with nothing around them to tell them apart are not chosen by guess', () => {
  const same = 'A sentence that is repeated.'
  const at = new AnchoredText(paragraph(same), paragraph(same), paragraph(same))
  const anchor = at.comment(same)
  at.fragment.delete(0, 1)
  expect(at.quoteAt(anchor)).toBeNull()
})

test('a short line that is deleted with everything else is found where it came back', () => {
  const at = new AnchoredText(paragraph('Agenda'), paragraph('The agenda of Monday'), paragraph('Monday'))
  const anchors = [at.comment('Agenda'), at.comment('Monday', 'Monday')]
  const whole = threadAnchorOf(at.lines, { from: { line: 2, offset: 0 }, to: { line: 2, offset: 6 } })!
  at.fragment.delete(0, 3)
  appendBlocks(at.fragment, [paragraph('')])
  expect([...anchors, whole].map((anchor) => at.quoteAt(anchor))).toEqual([null, null, null])
  const restored = ['Agenda', 'The agenda of Monday', 'Monday', 'Mondays and an Agenda']
  appendBlocks(
    at.fragment,
    restored.map((line) => paragraph(line)),
  )
  const lineOf = (anchor: ThreadAnchor) => locateAnchor(at.fragment, at.lines, anchor)?.from.line
  expect([...anchors, whole].map(lineOf)).toEqual([1, 2, 3])
  appendBlocks(at.fragment, [paragraph('Agenda')])
  expect(lineOf(anchors[0]!)).toBeUndefined()
})

test('line breaks within a block do not count', () => {
  const at = new AnchoredText(paragraph('one', lineBreak, 'two three', lineBreak, 'four'))
  const anchor = at.comment('two three')
  expect(at.quoteAt(anchor)).toBe('two three')
  at.split(0, 4)
  expect(at.quoteAt({ ...anchor, from: '', to: '', quote: 'one\ntwo three\nfour' })).toBe(
    'one\ntwo three\nfour',
  )
})

test.each<[string, Partial<ThreadAnchor>]>([
  ['no base64', { from: '!', to: '?' }],
  ['bytes of nothing', { from: 'AAAA', to: '////' }],
  ['empty', { from: '', to: '' }],
])('values that are no positions lead nowhere: %s', (_what, positions) => {
  const at = text()
  expect(at.quoteAt({ ...at.comment('fox'), ...positions, quote: '' })).toBeNull()
})

test('positions of another document, or of its title, lead nowhere', () => {
  const at = text()
  const foreign = text().comment('fox')
  expect(at.quoteAt({ ...foreign, quote: '' })).toBeNull()
  const title = at.doc.getText('title')
  title.insert(0, 'a title')
  const position = (index: number) =>
    Buffer.from(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(title, index))).toString(
      'base64',
    )
  expect(at.quoteAt({ ...foreign, from: position(0), to: position(3), quote: '' })).toBeNull()
})

test('a mention alone in its line is commented on, keeps its comment beside new letters and others, and goes with it', () => {
  const ada = { name: 'mention', attributes: { kind: 'person', id: 'user:ada', label: 'Ada' } }
  const text = new AnchoredText(paragraph(ada), paragraph(ada), paragraph('end'))
  const line = text.fragment.get(1) as Y.XmlElement
  const anchor = threadAnchorOf(text.lines, { from: { line: 1, offset: 0 }, to: { line: 1, offset: 1 } })!
  const placeOf = () => locateAnchor(text.fragment, text.lines, anchor)
  expect(anchor.quote).toBe('\uFFFC')
  expect(placeOf()).toEqual({ from: { line: 1, offset: 0 }, to: { line: 1, offset: 1 } })
  line.insert(0, [new Y.XmlText('so ')])
  line.insert(2, [new Y.XmlText(' and')])
  expect(placeOf()).toEqual({ from: { line: 1, offset: 3 }, to: { line: 1, offset: 4 } })
  text.fragment.insert(0, [new Y.XmlElement('paragraph')])
  expect(placeOf()?.from).toEqual({ line: 2, offset: 3 })
  // The other mention is not taken for it.
  line.delete(1, 1)
  expect(placeOf()).toBeNull()
})
