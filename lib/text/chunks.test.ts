import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type Chunk, createChunker } from './chunks.ts'
import { heading, paragraph, type BlockSketch, appendBlocks } from './fixtures/text-sketches.ts'
import { markdownOf } from './markdown.ts'
import { treeOf } from './tree.ts'

const item = (text: string): BlockSketch => ({ name: 'listItem', children: [paragraph(text)] })
/** @param client Decides, together with the clock, which blocks begin a chunk. */
function longText(blocks: number, client = 1): Y.XmlFragment {
  const doc = new Y.Doc()
  doc.clientID = client
  const fragment = doc.getXmlFragment('default')
  const sketches = Array.from({ length: blocks }, (_, index) =>
    index % 5 === 0
      ? heading(2, `Heading ${index}`)
      : index % 7 === 0
        ? { name: 'bulletList', children: [item('a')] }
        : paragraph(`same length`),
  )
  appendBlocks(fragment, sketches)
  return fragment
}

const clients = Array.from({ length: 20 }, (_, n) => Math.imul(n + 1, 0x9e3779b1) >>> 0)

const blocksOf = (chunks: readonly Chunk[]) => chunks.flatMap(({ blocks }) => blocks)

test.each(clients)('the chunks make up the text, and are neither few nor many, by client %i', (client) => {
  const blocks = treeOf(longText(3000, client))
  const chunks = createChunker()(blocks)
  expect(blocksOf(chunks)).toEqual(blocks)
  expect(chunks.length).toBeGreaterThan(30)
  expect(chunks.length).toBeLessThan(200)
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length)
})

test('an empty text is one chunk', () => {
  expect(createChunker()([])).toEqual([{ id: 'first', blocks: [] }])
})

test('a change stays within its own chunk, wherever blocks come or go', () => {
  const fragment = longText(1000)
  const chunksOf = createChunker()
  fc.assert(
    fc.property(fc.nat(), fc.boolean(), (where, comes) => {
      const before = new Set(chunksOf(treeOf(fragment)))
      const at = where % fragment.length
      if (comes) fragment.insert(at, [new Y.XmlElement('paragraph')])
      else fragment.delete(at, 1)
      const after = chunksOf(treeOf(fragment))
      expect(blocksOf(after)).toEqual(treeOf(fragment))
      expect(after.filter((chunk) => !before.has(chunk)).length).toBeLessThanOrEqual(2)
    }),
  )
})

test('the Markdown of all chunks is that of the text', () => {
  const blocks = treeOf(longText(500))
  const pieces = createChunker()(blocks).map((chunk) => markdownOf(chunk.blocks))
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('\n')).toBe(markdownOf(blocks))
})
