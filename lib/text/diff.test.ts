import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { contentKeyOf } from './align-nodes.ts'
import { type BlockDifference, differencesBetween, differenceSummaryOf, oneSideOf } from './diff.ts'
import { heading, paragraph, type BlockSketch, textWith, appendBlocks } from './fixtures/text-sketches.ts'
import { blockTextOf } from './plain-text.ts'
import { treeOf } from './tree.ts'

const item = (text: string): BlockSketch => ({ name: 'listItem', children: [paragraph(text)] })
const list = (...texts: string[]): BlockSketch => ({ name: 'bulletList', children: texts.map(item) })

/** Writes each difference as `=Kept`, `-Gone`, `+Came`, `~Was|Is`. */
const sketchDifferences = (differences: readonly BlockDifference[]): unknown[] =>
  differences.map((difference) => {
    if (difference.kind === 'blocks') return sketchDifferences(difference.children)
    if (difference.kind === 'text')
      return `~${blockTextOf(difference.before)}|${blockTextOf(difference.after)}`
    return { same: '=', added: '+', removed: '-' }[difference.kind] + blockTextOf(difference.block)
  })

const between = (before: BlockSketch[], after: BlockSketch[]) =>
  differencesBetween(treeOf(textWith(...before)), treeOf(textWith(...after)))

/** Compares with a later state of the same document, so that ids are the same. */
function differencesAfter(before: BlockSketch[], edit: (fragment: Y.XmlFragment) => void) {
  const then = textWith(...before)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(then.doc!))
  const now = doc.getXmlFragment('default')
  doc.transact(() => edit(now))
  return differencesBetween(treeOf(then), treeOf(now))
}

const textIn = (fragment: Y.XmlFragment, index: number) =>
  (fragment.get(index) as Y.XmlElement).get(0) as Y.XmlText

describe('what changed between two states of a text', () => {
  test('nothing', () => {
    expect(
      sketchDifferences(between([heading(1, 'A'), paragraph('b')], [heading(1, 'A'), paragraph('b')])),
    ).toEqual(['=A', '=b'])
  })

  test('a paragraph of the same document is matched by its id, however much of it was written anew', () => {
    const differences = differencesAfter(
      [paragraph('one'), paragraph('two'), paragraph('three')],
      (fragment) => {
        textIn(fragment, 1).delete(0, 3)
        textIn(fragment, 1).insert(0, 'all different words')
        fragment.delete(2)
        appendBlocks(fragment, [paragraph('four')])
      },
    )
    expect(sketchDifferences(differences)).toEqual(['=one', '~two|all different words', '-three', '+four'])
  })

  test('a block that was made anew is matched by its content, and then by likeness', () => {
    const before = [
      heading(1, 'Plan'),
      paragraph('We go to the sea in June.'),
      paragraph('gone'),
      paragraph('stays'),
    ]
    const after = [
      paragraph('new'),
      heading(2, 'Plan'),
      paragraph('We go to the sea in July.'),
      paragraph('stays'),
    ]
    expect(sketchDifferences(between(before, after))).toEqual([
      '+new',
      '~Plan|Plan',
      '~We go to the sea in June.|We go to the sea in July.',
      '-gone',
      '=stays',
    ])
  })

  test('within lists and quotes', () => {
    const differences = between([list('milk', 'bread')], [list('milk', 'eggs', 'bread and butter')])
    expect(sketchDifferences(differences)).toEqual([['=milk', '+eggs', ['~bread|bread and butter']]])
  })

  test('a section that moved is removed in one place and added in the other', () => {
    const before = [heading(1, 'A'), paragraph('a'), heading(1, 'B'), paragraph('b'), paragraph('c')]
    const after = [heading(1, 'B'), paragraph('b'), paragraph('c'), heading(1, 'A'), paragraph('a')]
    expect(sketchDifferences(between(before, after))).toEqual(['-A', '-a', '=B', '=b', '=c', '+A', '+a'])
  })

  test('the sum counts words and blocks', () => {
    const differences = between(
      [paragraph('one two three'), list('milk', 'bread'), paragraph('gone for good')],
      [paragraph('one 2 three four'), list('milk', 'bread', 'eggs')],
    )
    expect(differenceSummaryOf(differences)).toEqual({ added: 3, removed: 4, blocks: 3 })
    expect(differenceSummaryOf(between([paragraph('a')], [paragraph('a')]))).toEqual({
      added: 0,
      removed: 0,
      blocks: 0,
    })
  })

  test('a long text that was replaced whole is not compared block by block', () => {
    const many = (word: string) => Array.from({ length: 2_000 }, (_, n) => paragraph(`${word} ${n}`))
    const differences = between(many('old'), many('new'))
    expect(differenceSummaryOf(differences).blocks).toBe(4_000)
  })
})

test('what a block is compared by grows with the block, however deep its lists are', () => {
  const nested = (depth: number): BlockSketch =>
    depth === 0 ? paragraph('“deep”') : { name: 'blockquote', children: [nested(depth - 1)] }
  const [block] = treeOf(textWith(nested(60)))
  expect(contentKeyOf(block!).length).toBeLessThan(60 * 40)
})

test('one side of the differences is the letters of one text', () => {
  const before = [heading(1, 'A plan'), paragraph('the red fox'), list('one', 'two'), paragraph('gone')]
  const after = [
    paragraph('A plan'),
    paragraph('the big fox'),
    list('one', 'three', 'four'),
    heading(2, 'new'),
  ]
  const differences = between(before, after)
  const lettersOf = (difference: BlockDifference): string[] => {
    if (difference.kind === 'text') return [difference.pieces.map(({ text }) => text).join('')]
    if (difference.kind === 'blocks') return difference.children.flatMap(lettersOf)
    return [blockTextOf(difference.block)]
  }
  const side = (one: 'before' | 'after') =>
    differences.flatMap((difference) => oneSideOf(difference, one) ?? []).flatMap(lettersOf)
  expect(side('before')).toEqual(['A plan', 'the red fox', 'one', 'two', 'gone'])
  expect(side('after')).toEqual(['A plan', 'the big fox', 'one', 'three', 'four', 'new'])
})
