import { getSchema } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'
import { updateYFragment, ySyncPluginKey } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { giveText } from './one-text.ts'

const schema = getSchema([StarterKit])
const paragraph = (text: string): object => ({
  type: 'paragraph',
  ...(text && { content: [{ type: 'text', text }] }),
})

/** A window: what its editor shows is written as Tiptap's binding writes it. */
class Window {
  readonly doc = new Y.Doc()
  readonly #binding = { mapping: new Map(), isOMark: new Map() }
  readonly stop = giveText(this.doc, (name) => schema.nodes[name]?.isTextblock ?? false)

  show(...blocks: object[]): void {
    const node: Node = schema.nodeFromJSON({ type: 'doc', content: blocks })
    this.doc.transact(() => updateYFragment(this.doc, this.fragment, node, this.#binding), ySyncPluginKey)
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment('default')
  }
}

const exchange = (one: Window, other: Window): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)))
}

const typedAtOnce = (prepare: (window: Window) => void): Window[] => {
  const [ada, bob] = [new Window(), new Window()]
  prepare(ada)
  ada.show(paragraph('above'), paragraph(''))
  exchange(ada, bob)
  ada.show(paragraph('above'), paragraph('a'))
  bob.show(paragraph('above'), paragraph('b'))
  exchange(ada, bob)
  return [ada, bob]
}

const texts = ({ fragment }: Window): string[][] =>
  fragment
    .toArray()
    .map((block) => (block as Y.XmlElement).toArray().map((text) => (text as Y.XmlText).toString()))

test('two people who begin in the same new line write into one text', () => {
  const [ada, bob] = typedAtOnce(() => {}) as [Window, Window]
  expect(texts(ada)[1]).toHaveLength(1)
  expect(texts(ada)[1]![0]).toMatch(/^(ab|ba)$/)
  expect(texts(bob)).toEqual(texts(ada))
})

test('without it each has a text of its own there, which the binding later writes twice', () => {
  const [ada] = typedAtOnce((window) => window.stop()) as [Window]
  expect(texts(ada)[1]!.toSorted()).toEqual(['a', 'b'])
})

test('blocks within blocks are completed; what holds blocks is not, nor what the others wrote', () => {
  const [ada, bob] = [new Window(), new Window()]
  bob.stop()
  ada.show({ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('')] }] })
  const item = (ada.fragment.get(0) as Y.XmlElement).get(0) as Y.XmlElement
  expect((item.get(0) as Y.XmlElement).toArray().map((child) => child instanceof Y.XmlText)).toEqual([true])
  exchange(ada, bob)
  bob.show(paragraph('x'), paragraph(''))
  let said = 0
  ada.doc.on('update', () => (said += 1))
  exchange(bob, ada)
  expect(said).toBe(1)
  expect(texts(ada)).toEqual([['x'], []])
})

test('undo takes the block away whole', () => {
  const ada = new Window()
  ada.show(paragraph('x'))
  const undo = new Y.UndoManager(ada.fragment, { trackedOrigins: new Set([ySyncPluginKey]) })
  ada.show(paragraph('x'), paragraph(''))
  undo.undo()
  expect(texts(ada)).toEqual([['x']])
})
