import { getSchema } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'
import { updateYFragment, ySyncPluginKey } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { addMissingTextNodes } from './empty-block-text.ts'

const schema = getSchema([StarterKit])
const paragraph = (text: string): object => ({
  type: 'paragraph',
  ...(text && { content: [{ type: 'text', text }] }),
})

/** A window whose editor's text is written as Tiptap's binding writes it. */
class EditorWindow {
  readonly doc = new Y.Doc()
  readonly #binding = { mapping: new Map(), isOMark: new Map() }
  readonly stop = addMissingTextNodes(this.doc, (name) => schema.nodes[name]?.isTextblock ?? false)

  show(...blocks: object[]): void {
    const node: Node = schema.nodeFromJSON({ type: 'doc', content: blocks })
    this.doc.transact(() => updateYFragment(this.doc, this.fragment, node, this.#binding), ySyncPluginKey)
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment('default')
  }
}

const exchangeUpdates = (one: EditorWindow, other: EditorWindow): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)))
}

const typeConcurrently = (prepare: (window: EditorWindow) => void): EditorWindow[] => {
  const [ada, bob] = [new EditorWindow(), new EditorWindow()]
  prepare(ada)
  ada.show(paragraph('above'), paragraph(''))
  exchangeUpdates(ada, bob)
  ada.show(paragraph('above'), paragraph('a'))
  bob.show(paragraph('above'), paragraph('b'))
  exchangeUpdates(ada, bob)
  return [ada, bob]
}

const texts = ({ fragment }: EditorWindow): string[][] =>
  fragment
    .toArray()
    .map((block) => (block as Y.XmlElement).toArray().map((text) => (text as Y.XmlText).toString()))

test('two people who begin in the same new line write into one text node', () => {
  const [ada, bob] = typeConcurrently(() => {}) as [EditorWindow, EditorWindow]
  expect(texts(ada)[1]).toHaveLength(1)
  expect(texts(ada)[1]![0]).toMatch(/^(ab|ba)$/)
  expect(texts(bob)).toEqual(texts(ada))
})

test('without the extension each has a text node of their own there, which the binding later writes twice', () => {
  const [ada] = typeConcurrently((window) => window.stop()) as [EditorWindow]
  expect(texts(ada)[1]!.toSorted()).toEqual(['a', 'b'])
})

test('nested blocks get a text node; blocks that hold blocks do not, nor do remote blocks', () => {
  const [ada, bob] = [new EditorWindow(), new EditorWindow()]
  bob.stop()
  ada.show({ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('')] }] })
  const item = (ada.fragment.get(0) as Y.XmlElement).get(0) as Y.XmlElement
  expect((item.get(0) as Y.XmlElement).toArray().map((child) => child instanceof Y.XmlText)).toEqual([true])
  exchangeUpdates(ada, bob)
  bob.show(paragraph('x'), paragraph(''))
  let updates = 0
  ada.doc.on('update', () => (updates += 1))
  exchangeUpdates(bob, ada)
  expect(updates).toBe(1)
  expect(texts(ada)).toEqual([['x'], []])
})

test('undo removes the whole block', () => {
  const ada = new EditorWindow()
  ada.show(paragraph('x'))
  const undo = new Y.UndoManager(ada.fragment, { trackedOrigins: new Set([ySyncPluginKey]) })
  ada.show(paragraph('x'), paragraph(''))
  undo.undo()
  expect(texts(ada)).toEqual([['x']])
})
