import { getSchema } from '@tiptap/core'
import { type Node, NodeType, Schema } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { paragraph, appendBlocks } from '@/lib/text/fixtures/text-sketches.ts'
import { bindEditor } from './fixtures/bound-editor.ts'

const schema = getSchema([StarterKit])

/** An editor whose text somebody else edits, too. */
function boundEditor(paragraphs: number) {
  const [doc, remoteDoc] = [new Y.Doc(), new Y.Doc()]
  const [text, remoteText] = [doc, remoteDoc].map((one) => one.getXmlFragment('default')) as [
    Y.XmlFragment,
    Y.XmlFragment,
  ]
  appendBlocks(
    text,
    Array.from({ length: paragraphs }, (_, n) => paragraph(`paragraph ${n}`)),
  )
  const exchangeUpdates = () => {
    Y.applyUpdate(remoteDoc, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(remoteDoc)))
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(remoteDoc, Y.encodeStateVector(doc)))
  }
  exchangeUpdates()
  return { text, remoteText, exchangeUpdates, ...bindEditor(text, schema) }
}

type BoundEditor = ReturnType<typeof boundEditor>

/** Every node of the shared text maps to what a new editor would draw. */
function expectMapped({ binding, view, text }: BoundEditor): void {
  const drawn = yXmlFragmentToProseMirrorRootNode(text, schema)
  expect(view.state.doc.eq(drawn), view.state.doc.toString()).toBe(true)
  const check = (type: Y.XmlFragment, node: Node): void => {
    const children = type.toArray().filter((child) => child instanceof Y.XmlElement)
    for (const [index, child] of children.entries()) {
      const mapped = binding.mapping.get(child) as Node | undefined
      const expected = node.children.filter(({ isText }) => !isText)[index]!
      if (mapped) expect(mapped.eq(expected), mapped.toString()).toBe(true)
      else expect(type, 'only what the editor wrote itself may be unknown').not.toBe(text)
      check(child, expected)
    }
  }
  check(text, drawn)
}

const textNodeOf = (text: Y.XmlFragment, block: number) =>
  (text.get(block) as Y.XmlElement).get(0) as Y.XmlText

test('a remote letter recreates only the nodes of its block, however long the text is', () => {
  const createdNodes = [20, 2_000].map((paragraphs) => {
    const { remoteText, view, exchangeUpdates } = boundEditor(paragraphs)
    const before = new Set(view.state.doc.children)
    const nodes = [vi.spyOn(NodeType.prototype, 'create'), vi.spyOn(Schema.prototype, 'text')]
    textNodeOf(remoteText, 10).insert(3, 'x')
    exchangeUpdates()
    const count = nodes.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    nodes.forEach((spy) => spy.mockRestore())
    expect(view.state.doc.children.filter((node) => !before.has(node))).toHaveLength(1)
    expect(view.state.doc.child(10).textContent).toBe('parxagraph 10')
    return count
  })
  expect(createdNodes).toEqual([2, 2])
})

test('a redrawn text reuses no earlier node', () => {
  const { view, binding } = boundEditor(3)
  const before = new Set(view.state.doc.children)
  binding._forceRerender()
  expect(view.state.doc.children.filter((node) => before.has(node))).toEqual([])
})

/** Numbers below `limit`, the same in each run. */
function createRandom(seed: number) {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const remoteEdits: ((text: Y.XmlFragment, random: (limit: number) => number) => void)[] = [
  (text, random) => randomTextNode(text, random)?.insert(0, 'their '),
  (text, random) => {
    const letters = randomTextNode(text, random)
    if (letters && letters.length > 2) letters.format(0, 2, { bold: {} })
  },
  (text, random) => appendBlocks(text, [paragraph(`new ${random(100)}`)]),
  (text, random) => {
    const list = new Y.XmlElement('bulletList')
    const items = ['one', 'two'].map((letters) => {
      const [item, block] = [new Y.XmlElement('listItem'), new Y.XmlElement('paragraph')]
      block.insert(0, [new Y.XmlText(letters)])
      item.insert(0, [block])
      return item
    })
    list.insert(0, items)
    text.insert(random(text.length), [list])
  },
  (text, random) => {
    if (text.length > 2) text.delete(random(text.length), 1)
  },
]

function randomTextNode(text: Y.XmlFragment, random: (limit: number) => number): Y.XmlText | null {
  const all = [...text.createTreeWalker((type) => type instanceof Y.XmlText)] as unknown as Y.XmlText[]
  return all[random(all.length)] ?? null
}

const localEdits: ((transaction: Transaction, random: (limit: number) => number) => Transaction)[] = [
  (transaction, random) => transaction.insertText('own ', 1 + random(3)),
  (transaction) => transaction.split(2),
  // Moves a block as dragging does: the binding finds it again further down.
  (transaction) => {
    const first = transaction.doc.firstChild!
    return transaction.delete(0, first.nodeSize).insert(transaction.doc.content.size - first.nodeSize, first)
  },
  (transaction) => transaction.setNodeMarkup(0, schema.nodes.heading, { level: 2 }),
]

test.each([1, 2, 3, 4])('reused nodes equal what a new editor would draw (seed %i)', (seed) => {
  const random = createRandom(seed)
  const editor = boundEditor(6)
  for (let step = 0; step < 60; step++) {
    if (random(3) === 0 && editor.view.state.doc.firstChild!.isTextblock)
      editor.edit((transaction) => localEdits[random(localEdits.length)]!(transaction, random))
    else
      editor.remoteText.doc!.transact(() =>
        remoteEdits[random(remoteEdits.length)]!(editor.remoteText, random),
      )
    editor.exchangeUpdates()
    expectMapped(editor)
  }
})
