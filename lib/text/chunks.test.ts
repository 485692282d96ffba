import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type Chunk, steadyChunks } from './chunks.ts'
import { heading, paragraph, type Sketch, write } from './fixtures/texts.ts'
import { markdownOf } from './markdown.ts'
import { treeOf } from './tree.ts'

const item = (text: string): Sketch => ({ name: 'listItem', children: [paragraph(text)] })
/** @param client Decides with the clock which blocks begin a piece. */
function long(blocks: number, client = 1): Y.XmlFragment {
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
  write(fragment, sketches)
  return fragment
}

const clients = Array.from({ length: 20 }, (_, n) => Math.imul(n + 1, 0x9e3779b1) >>> 0)

const all = (chunks: readonly Chunk[]) => chunks.flatMap(({ blocks }) => blocks)

test.each(clients)('the pieces make the text, and are neither few nor many, by client %i', (client) => {
  const blocks = treeOf(long(3000, client))
  const chunks = steadyChunks()(blocks)
  expect(all(chunks)).toEqual(blocks)
  expect(chunks.length).toBeGreaterThan(30)
  expect(chunks.length).toBeLessThan(200)
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length)
})

test('an empty text is one piece', () => {
  expect(steadyChunks()([])).toEqual([{ id: 'first', blocks: [] }])
})

test('a change is one of its own piece, wherever blocks come or go', () => {
  const fragment = long(1000)
  const read = steadyChunks()
  fc.assert(
    fc.property(fc.nat(), fc.boolean(), (where, comes) => {
      const before = new Set(read(treeOf(fragment)))
      const at = where % fragment.length
      if (comes) fragment.insert(at, [new Y.XmlElement('paragraph')])
      else fragment.delete(at, 1)
      const after = read(treeOf(fragment))
      expect(all(after)).toEqual(treeOf(fragment))
      expect(after.filter((chunk) => !before.has(chunk)).length).toBeLessThanOrEqual(2)
    }),
  )
})

test('the Markdown of all pieces is that of the text', () => {
  const blocks = treeOf(long(500))
  const pieces = steadyChunks()(blocks).map((chunk) => markdownOf(chunk.blocks))
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('\n')).toBe(markdownOf(blocks))
})
