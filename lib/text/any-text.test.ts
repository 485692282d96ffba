/** What reads a text beside the editor takes any well-formed Yjs: another program may write it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { countText } from './count.ts'
import { differencesBetween } from './diff.ts'
import { randomTexts } from './fixtures/random-text.ts'
import { paragraph, heading, sketchBlocks, textWith } from './fixtures/text-sketches.ts'
import { headingsOf } from './headings.ts'
import { linesOf } from './lines.ts'
import { markdownOf } from './markdown.ts'
import { blocksTextOf } from './plain-text.ts'
import { restoreVersion } from './restore.ts'
import { treeOf } from './tree.ts'

const version = textWith(
  heading(1, 'Plan'),
  paragraph('a'),
  paragraph('b', { text: 'c', marks: { bold: {} } }),
)

test('its lines, headings, words, differences and Markdown can be read', () => {
  fc.assert(
    fc.property(randomTexts, (text) => {
      const tree = treeOf(text)
      const reads = [linesOf(tree).texts, headingsOf(tree), countText(blocksTextOf(tree)), markdownOf(tree)]
      expect(reads).not.toContain(undefined)
      expect(differencesBetween(treeOf(version), tree)).toBeInstanceOf(Array)
      expect(differencesBetween(tree, treeOf(version))).toBeInstanceOf(Array)
    }),
    { numRuns: 200 },
  )
})

test('an earlier version can be restored from it, and then nothing of it is left', () => {
  fc.assert(
    fc.property(randomTexts, (text) => {
      const { doc } = text
      restoreVersion(doc!, version.doc!)
      expect(sketchBlocks(text)).toEqual(sketchBlocks(version))
      expect(text.toArray().every((child) => child instanceof Y.XmlElement)).toBe(true)
      restoreVersion(doc!, version.doc!)
    }),
    { numRuns: 200 },
  )
})

test('it can be restored itself: no letter of its tree is lost', () => {
  fc.assert(
    fc.property(randomTexts, (text) => {
      const now = new Y.Doc()
      Y.applyUpdate(now, Y.encodeStateAsUpdate(version.doc!))
      restoreVersion(now, text.doc!)
      const lettersIn = (fragment: Y.XmlFragment) => blocksTextOf(treeOf(fragment)).replaceAll('\uFFFC', '')
      expect(lettersIn(now.getXmlFragment('default'))).toBe(lettersIn(text))
    }),
    { numRuns: 200 },
  )
})

test('letters beside blocks are a paragraph, the same one until they change', () => {
  const text = textWith(paragraph('a'))
  text.insert(1, [new Y.XmlText('loose')])
  expect(linesOf(treeOf(text)).texts).toEqual(['a', 'loose'])
  const [, loose] = treeOf(text)
  ;((text.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, 'x')
  expect(treeOf(text)[1]).toBe(loose)
})
