/**
 * An older page in a newer text: it edits around what it does not know, moves and copies it, and takes nothing away. So versions of the
 * schema need no number.
 */
import { getSchema } from '@tiptap/core'
import { type Node, type Schema, Slice } from '@tiptap/pm/model'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { blocks } from '@/lib/blocks/blocks.ts'
import { documentWith, sharedTextOf, textSchema } from '@/lib/blocks/fixtures/block-documents.ts'
import {
  type BlockSketch,
  heading,
  paragraph,
  sketchBlocks,
  textWith,
} from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { TextReader } from './read-text.ts'
import { pageSchema, pageSchemaExtensions } from '@/components/editor/schema.ts'

/** The schema of a page that has neither the block nor what cannot be without it. */
function schemaWithout(name: string): Schema {
  const missing = new Set([name])
  // Sets iterate over what is added meanwhile: a table cannot be without rows, which cannot be without cells.
  for (const part of missing)
    for (const type of Object.values(pageSchema.nodes))
      if (type.spec.content?.split(/[^\w]+/).includes(part)) missing.add(type.name)
  return getSchema(pageSchemaExtensions.filter((one) => !missing.has(one.name)))
}

const readNew = (text: Y.XmlFragment): Node => new TextReader(pageSchema).read(text).node

const copyOf = ({ doc }: Y.XmlFragment): Y.XmlFragment => {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc!))
  return copy.getXmlFragment('default')
}

const first = paragraph('first')

describe.each(blocks.filter(({ name }) => name !== 'paragraph').map(({ name }) => name))(
  'a page that does not know the block %s',
  (name) => {
    const schema = schemaWithout(name)
    /** The block between two lines. */
    const openText = () => {
      const text = copyOf(sharedTextOf(documentWith(textSchema.nodes[name]!, {}, ['letters', 'more'])))
      const stored = sketchBlocks(text)
      const [before, after] = [textWith(paragraph('first')), textWith(paragraph('last'))]
      text.insert(0, [(before.get(0) as Y.XmlElement).clone()])
      text.push([(after.get(0) as Y.XmlElement).clone()])
      return { text, stored, editor: createHeadlessEditor(text, { schema }) }
    }

    test('edits around it, and it stays the same', () => {
      const { text, stored, editor } = openText()
      const parts = text.toArray().slice(1, -1)
      editor.edit((tr) => tr.insertText('1', 1).split(3))
      editor.edit((tr) => tr.insertText('!', tr.doc.content.size - 1))
      expect(text.toArray().slice(2, -1)).toEqual(parts)
      expect(sketchBlocks(text)).toEqual([paragraph('1f'), paragraph('irst'), ...stored, paragraph('last!')])
    })

    test('moves and copies it, also to another text, as what it was', () => {
      const { text, stored, editor } = openText()
      const { doc } = editor.state
      const [from, to] = [doc.firstChild!.nodeSize, doc.content.size - doc.lastChild!.nodeSize]
      const cut = new Slice(doc.slice(from, to).content, 0, 0)
      editor.edit((tr) => tr.delete(from, to).replace(0, 0, cut))
      expect(sketchBlocks(text)).toEqual([...stored, first, paragraph('last')])
      editor.edit((tr) => tr.replace(tr.doc.content.size, tr.doc.content.size, cut))
      expect(sketchBlocks(text)).toEqual([...stored, first, paragraph('last'), ...stored])
      const other = createHeadlessEditor(textWith(first), { schema })
      other.edit((tr) => tr.replace(0, 0, cut))
      expect(sketchBlocks(other.binding.text)).toEqual([...stored, first])
      expect(readNew(other.binding.text).toString()).toContain(`${name}`)
    })
  },
)

describe.each<[string, BlockSketch, Record<string, unknown>]>([
  ['an attribute that it does not know', heading(2, 'title'), { tone: { of: 'a newer page' } }],
  [
    'a value that it does not know of an attribute that it knows',
    heading(2, 'title'),
    { level: { of: 'a newer page' } },
  ],
])('a page that finds %s', (_what, sketch, newer) => {
  const stored = { ...sketch, attributes: { ...sketch.attributes, ...newer } }
  const openEditor = () => createHeadlessEditor(textWith(first, stored))

  test('edits in the block, and the block keeps it', () => {
    const editor = openEditor()
    editor.edit((tr) => tr.insertText('!', tr.doc.content.size - 1))
    expect(sketchBlocks(editor.binding.text)).toEqual([first, { ...stored, children: [{ text: 'title!' }] }])
  })

  test('moves and copies the block with it', () => {
    const editor = openEditor()
    const [from, to] = [editor.state.doc.firstChild!.nodeSize, editor.state.doc.content.size]
    const block = editor.state.doc.lastChild!
    editor.edit((tr) => tr.delete(from, to).insert(0, block))
    expect(sketchBlocks(editor.binding.text)).toEqual([stored, first])
    const other = createHeadlessEditor(textWith(first))
    other.edit((tr) => tr.insert(0, other.state.schema.nodeFromJSON(block.toJSON())))
    expect(sketchBlocks(other.binding.text)).toEqual([stored, first])
  })

  test('changes what it knows, and then that counts', () => {
    const editor = openEditor()
    editor.edit((tr) => tr.setNodeAttribute(editor.state.doc.firstChild!.nodeSize, 'level', 3))
    expect(sketchBlocks(editor.binding.text)[1]!.attributes).toEqual({ ...stored.attributes, level: 3 })
    const block = editor.state.doc.lastChild!
    editor.edit((tr) => tr.insert(0, block))
    expect(sketchBlocks(editor.binding.text)[0]!.attributes).toMatchObject({ level: 3 })
  })
})
