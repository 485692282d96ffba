import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { heading, lineBreak, paragraph, textWith, appendBlocks } from './fixtures/text-sketches.ts'
import { type Block, isTextNode, type TreeNode, treeOf, watchTree } from './tree.ts'

test('blocks have their names, attributes, and runs of letters with the same marks', () => {
  const marks = { bold: {}, link: { href: 'https://example.org' } }
  const fragment = textWith(heading(2, 'Plan'), paragraph('a ', { text: 'b', marks }, lineBreak, 'c'))
  const [first, second] = treeOf(fragment) as [Block, Block]
  expect(first).toMatchObject({ name: 'heading', attributes: { level: 2 } })
  expect(first.type).toBe(fragment.get(0))
  expect(second.children.map((node) => (isTextNode(node) ? node.runs : node.name))).toEqual([
    [
      { text: 'a ', marks: {} },
      { text: 'b', marks },
    ],
    'hardBreak',
    [{ text: 'c', marks: {} }],
  ])
})

test('a mark that may overlap itself has its own name; an embed counts as one letter', () => {
  const fragment = textWith(paragraph('ab'))
  const text = (fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  text.format(0, 1, { 'comment--1a2b3c4d': { id: 1 } })
  text.insertEmbed(1, { image: 'x' })
  const [block] = treeOf(fragment) as [Block]
  expect(block.children).toMatchObject([
    { runs: [{ text: 'a', marks: { comment: { id: 1 } } }, { text: '\uFFFC' }, { text: 'b' }] },
  ])
})

test('only a changed node and those that contain it are new objects', () => {
  const list = { name: 'bulletList', children: [{ name: 'listItem', children: [paragraph('in a list')] }] }
  const fragment = textWith(paragraph('a'), list, paragraph('c'))
  const before = treeOf(fragment)
  expect(treeOf(fragment)).toBe(before)
  const item = (fragment.get(1) as Y.XmlElement).get(0) as Y.XmlElement
  ;((item.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, 'deep ')
  const after = treeOf(fragment)
  expect(after[0]).toBe(before[0])
  expect(after[2]).toBe(before[2])
  expect(JSON.stringify(after[1]!.children)).toContain('deep in a list')
})

test('the tree is right within a transaction, and for an observer that reads it before all others', () => {
  const fragment = textWith(paragraph('a'))
  const seen: number[] = []
  fragment.observeDeep(() => seen.push(treeOf(fragment).length))
  expect(treeOf(fragment)).toHaveLength(1)
  fragment.doc!.transact(() => {
    appendBlocks(fragment, [paragraph('b')])
    const [, fresh] = treeOf(fragment) as [Block, Block]
    ;(fresh.type.get(0) as Y.XmlText).insert(0, 'more ')
    expect(textOf(treeOf(fragment))).toBe('amore b')
  })
  expect(seen).toEqual([2])
  expect(textOf(treeOf(fragment))).toBe('amore b')
})

test('a listener is called once for many changes, and not after it stopped', () => {
  const fragment = textWith(paragraph('a'))
  const frames: (() => void)[] = []
  let notified = 0
  const stop = watchTree(
    fragment,
    () => (notified += 1),
    (run) => {
      frames.push(run)
      return () => frames.splice(frames.indexOf(run), 1)
    },
  )
  const frame = (): void => frames.splice(0).forEach((run) => run())
  appendBlocks(fragment, [paragraph('b')])
  appendBlocks(fragment, [paragraph('c')])
  expect(notified).toBe(0)
  frame()
  expect(notified).toBe(1)
  appendBlocks(fragment, [paragraph('d')])
  stop()
  expect(frames).toEqual([])
  appendBlocks(fragment, [paragraph('e')])
  expect(frames).toEqual([])
  expect(notified).toBe(1)
})

/** Makes random edits: the cached tree must equal the one that a new reader builds. */
const edit = fc.record({
  kind: fc.constantFrom('type', 'erase', 'mark', 'attribute', 'add', 'nest', 'remove', 'undo'),
  at: fc.nat(),
  text: fc.string({ minLength: 1, maxLength: 5 }),
})

test('after any edits it equals what a new reader sees', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(edit, fc.boolean()), { maxLength: 40 }), (edits) => {
      const fragment = textWith(paragraph('one'), paragraph('two'))
      const undo = new Y.UndoManager(fragment, { captureTimeout: 0 })
      for (const [change, looks] of edits) {
        applyEdit(fragment, undo, change)
        if (looks) treeOf(fragment)
      }
      expect(plainObject(treeOf(fragment))).toEqual(plainObject(treeOf(copyOf(fragment))))
    }),
  )
})

interface Edit {
  readonly kind: string
  readonly at: number
  readonly text: string
}

function applyEdit(fragment: Y.XmlFragment, undo: Y.UndoManager, { kind, at, text }: Edit): void {
  const elements = elementsIn(fragment)
  const element = elements[at % elements.length]
  if (kind === 'undo') undo.undo()
  else if (kind === 'add' || !element) appendBlocks(fragment, [paragraph(text)])
  else if (kind === 'attribute') element.setAttribute('level', text)
  else if (kind === 'nest') element.push([new Y.XmlElement('blockquote')])
  else if (kind === 'remove') removeFrom(element.parent as Y.XmlFragment, element)
  else changeText(element, kind, text)
}

function changeText(element: Y.XmlElement, kind: string, text: string): void {
  const first = element.get(0) as unknown
  if (!(first instanceof Y.XmlText)) element.insert(0, [new Y.XmlText(text)])
  else if (kind === 'type') first.insert(Math.min(1, first.length), text)
  else if (kind === 'mark') first.format(0, first.length, { bold: {} })
  else first.delete(0, Math.min(2, first.length))
}

const removeFrom = (parent: Y.XmlFragment, child: Y.XmlElement): void =>
  parent.delete(parent.toArray().indexOf(child), 1)

const elementsIn = (parent: Y.XmlFragment): Y.XmlElement[] =>
  parent.toArray().flatMap((child) => (child instanceof Y.XmlElement ? [child, ...elementsIn(child)] : []))

function copyOf(fragment: Y.XmlFragment): Y.XmlFragment {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(fragment.doc!))
  return doc.getXmlFragment('default')
}

const plainObject = (nodes: readonly TreeNode[]): unknown =>
  nodes.map((node) => {
    const { type: _type, ...rest } = node
    return isTextNode(node) ? rest : { ...rest, children: plainObject(node.children) }
  })

const textOf = (nodes: readonly TreeNode[]): string =>
  nodes
    .map((node) => (isTextNode(node) ? node.runs.map(({ text }) => text).join('') : textOf(node.children)))
    .join('')
