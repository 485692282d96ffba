/** A document that two clients wrote with Tiptap's own binding, as the release before this binding did: every block and mark of then. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { sketchBlocks } from '@/lib/text/fixtures/text-sketches.ts'
import { textSchema } from '@/components/editor/schema-extensions.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'

const update = readFileSync(join(import.meta.dirname, 'fixtures/former-release.bin'))

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

function openDocument(): Y.XmlFragment {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  return doc.getXmlFragment('default')
}

test('opens unchanged: its bytes, and what is shown of it', () => {
  const text = openDocument()
  const { state } = createHeadlessEditor(text)
  expect(hashOf(Y.encodeStateAsUpdate(text.doc!))).toBe(
    '4e2e4cbeb1e9c789f89957bd93b8d37098b64882cbe29b8388b2b0e343bbc9d7',
  )
  expect(hashOf(state.doc.toString())).toBe(
    'c323e3388db049046aa61b6af6bad9a6ca79da7e597421f3bc1dcb2a1d9931f5',
  )
  expect(state.doc.toString()).not.toContain('unknown')
  const stock = yXmlFragmentToProseMirrorRootNode(openDocument(), textSchema)
  expect(textSchema.nodeFromJSON(state.doc.toJSON()).toJSON()).toEqual(stock.toJSON())
})

test('is edited where a person types, and nowhere else', () => {
  const text = openDocument()
  const editor = createHeadlessEditor(text)
  const [types, sketches] = [text.toArray(), sketchBlocks(text)]
  editor.edit((tr) => tr.insert(tr.doc.content.size, tr.doc.type.schema.nodes.paragraph!.create()))
  editor.edit((tr) => tr.insertText('new', tr.doc.content.size - 1))
  expect(text.toArray().slice(0, -1)).toEqual(types)
  expect(sketchBlocks(text)).toEqual([...sketches, { name: 'paragraph', children: [{ text: 'new' }] }])
})
