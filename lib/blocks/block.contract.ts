/** What holds for each block, whatever it is: the same suite over every definition. */
import { type DOMOutputSpec, Node } from '@tiptap/pm/model'
import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { differencesBetween } from '../text/diff.ts'
import { parseMarkdown } from '../text/from-markdown.ts'
import { linesOf } from '../text/lines.ts'
import { safeHref } from '../text/link-address.ts'
import { markdownOf } from '../text/markdown.ts'
import { restoreVersion } from '../text/restore.ts'
import { treeOf } from '../text/tree.ts'
import { settleMessages, UndoFixture, type UndoWindow } from '../undo/fixtures/undo-fixture.ts'
import type { NodeDefinition, StoredAttributes } from './definitions.ts'
import { drawBlock } from './draw.ts'
import { documentWith, sharedTextOf, textSchema as schema } from './fixtures/block-documents.ts'
import { hostileValues } from './fixtures/hostile-values.ts'

interface BlockExpectation {
  /** Values that the block can have, as far as Markdown has a form for them. */
  readonly attributes?: fc.Arbitrary<StoredAttributes>
  /** Why Markdown does not lead back to the block. */
  readonly notInMarkdown?: string
}

export function describeBlock(
  definition: NodeDefinition,
  { attributes = fc.constant({}), notInMarkdown }: BlockExpectation = {},
): void {
  const { name } = definition
  const type = schema.nodes[name]!

  describe(`the block ${name}`, () => {
    const documents = (letters: fc.Arbitrary<string>) =>
      fc
        .tuple(attributes, fc.array(letters, { minLength: 1, maxLength: 4 }))
        .map(([attrs, texts]) => documentWith(type, attrs, texts))

    test('JSON and a shared text lead back to it', () => {
      fc.assert(
        fc.property(documents(fc.string({ unit: 'grapheme', minLength: 1 })), (doc) => {
          doc.check()
          expect(Node.fromJSON(schema, doc.toJSON()).toJSON()).toEqual(doc.toJSON())
          expect(readText(sharedTextOf(doc)).toJSON()).toEqual(doc.toJSON())
        }),
        { numRuns: 50 },
      )
    })

    test.skipIf(notInMarkdown)('Markdown leads back to it', () => {
      fc.assert(
        fc.property(documents(words), (doc) => {
          const { blocks } = parseMarkdown(markdownIn(sharedTextOf(doc)))
          expect(Node.fromJSON(schema, { type: 'doc', content: blocks }).toJSON()).toEqual(doc.toJSON())
        }),
        { numRuns: 25 },
      )
    })

    test('whatever its letters are, its Markdown stays the same when it is read and written again', () => {
      fc.assert(
        fc.property(documents(fc.string({ minLength: 1, maxLength: 12 })), (doc) => {
          const once = readAndWritten(markdownIn(sharedTextOf(doc)))
          expect(readAndWritten(once)).toBe(once)
        }),
        { numRuns: 25 },
      )
    })

    test.each(hostileValues)('attributes of another program: %s', (_label, value) => {
      for (const attribute of [...Object.keys(type.spec.attrs ?? {}), 'onclick', 'style', 'constructor']) {
        const stored = { [attribute]: value }
        expectSafe(drawBlock(definition, stored))
        expect(definition.strings.kind(stored).length).toBeLessThan(100)
        expect(definition.sign?.(stored).length ?? 0).toBeLessThan(3)
        expect(definition.firstNumber?.(stored) ?? 0).toBeGreaterThanOrEqual(0)
        expect([undefined, 1, 2, 3, 4, 5, 6]).toContain(definition.headingLevel?.(stored))
        const text = sharedTextOf(documentWith(type, {}, ['letters']))
        elementsIn(text, name)[0]!.setAttribute(attribute, value as string)
        expect(markdownIn(text).length).toBeLessThan(1_000)
        expect(linesOf(treeOf(text)).texts.join('')).toContain(type.isLeaf ? '' : 'letters')
      }
    })

    test.each([2, 3])('%i writers: what they made of it meets, and no letter is lost', (count) => {
      const original = sharedTextOf(documentWith(type, {}, ['a', 'b', 'c']))
      const writers = Array.from({ length: count }, () => copyOf(original))
      for (const [at, writer] of writers.entries()) {
        const [text] = textsIn(writer)
        text!.insert(at % (text!.length + 1), `<${at}>`)
        const [element] = elementsIn(writer, name)
        ;(element!.parent as Y.XmlFragment).insert(0, [element!.clone()])
      }
      for (const writer of writers)
        for (const other of writers) Y.applyUpdate(writer.doc!, Y.encodeStateAsUpdate(other.doc!))
      const [first, ...rest] = writers.map((writer) => writer.toJSON())
      for (const shown of rest) expect(shown).toBe(first)
      for (const at of writers.keys()) expect(first).toContain(`<${at}>`)
      expect(elementsIn(writers[0]!, name).length).toBeGreaterThanOrEqual(count + 1)
      readText(writers[0]!).check()
    })

    test('undo takes back one’s own letters and attributes in it, and nobody else’s', async () => {
      const fixture = new UndoFixture()
      Y.applyUpdate(fixture.server, Y.encodeStateAsUpdate(sharedTextOf(documentWith(type, {}, ['a'])).doc!))
      using window = disposable(fixture.open())
      const { body, undo, doc } = window.value
      const elements = elementsIn(body, name).length
      textsIn(body)[0]!.insert(1, 'mine')
      elementsIn(body, name)[0]!.setAttribute('mine', 'yes')
      const another = copyOf(body)
      textsIn(another)[0]!.insert(0, 'theirs')
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(another.doc!), 'server')
      while (undo.manager.undoStack.length > 0) {
        undo.undo('text')
        await settleMessages()
      }
      expect(body.toJSON()).not.toContain('mine')
      expect(textsIn(body)[0]!.toJSON()).toBe('theirsa')
      expect(elementsIn(body, name)).toHaveLength(elements)
    })

    test('a page that does not know it shows its letters, and keeps it', () => {
      const text = renamed(sharedTextOf(documentWith(type, {}, ['letters'])), name)
      const before = Y.encodeStateAsUpdate(text.doc!)
      const tree = treeOf(text)
      expect(linesOf(tree).texts.join('')).toContain('letters')
      expect(markdownOf(tree)).toContain('letters')
      expect(differencesBetween(tree, tree).map(({ kind }) => kind)).not.toContain('removed')
      expect(Y.encodeStateAsUpdate(text.doc!)).toEqual(before)
      const restored = new Y.Doc()
      restoreVersion(restored, text.doc!)
      expect(restored.getXmlFragment('default').toJSON()).toBe(text.toJSON())
    })
  })
}

const words = fc.stringMatching(/^[a-z]{1,8}$/)

const disposable = (value: UndoWindow): Disposable & { readonly value: UndoWindow } => ({
  value,
  [Symbol.dispose]: () => value.close(),
})

const readText = (text: Y.XmlFragment): Node => yXmlFragmentToProseMirrorRootNode(text, schema)

const markdownIn = (text: Y.XmlFragment): string => markdownOf(treeOf(text))

const readAndWritten = (markdown: string): string => {
  const { blocks } = parseMarkdown(markdown)
  return blocks.length === 0
    ? ''
    : markdownIn(sharedTextOf(Node.fromJSON(schema, { type: 'doc', content: blocks })))
}

function copyOf({ doc }: Y.XmlFragment): Y.XmlFragment {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc!))
  return copy.getXmlFragment('default')
}

const partsIn = (parent: Y.XmlFragment): unknown[] =>
  parent.toArray().flatMap((part: unknown) => [part, ...(part instanceof Y.XmlFragment ? partsIn(part) : [])])

const elementsIn = (text: Y.XmlFragment, name: string): Y.XmlElement[] =>
  partsIn(text).filter((part): part is Y.XmlElement => part instanceof Y.XmlElement && part.nodeName === name)

const textsIn = (text: Y.XmlFragment): Y.XmlText[] =>
  partsIn(text).filter((part): part is Y.XmlText => part instanceof Y.XmlText)

/** The same text with another name for the block, as an older page sees one that it does not know. */
function renamed(text: Y.XmlFragment, name: string): Y.XmlFragment {
  const copy = new Y.Doc().getXmlFragment('default')
  const copyPart = (part: unknown): Y.XmlElement | Y.XmlText => {
    if (!(part instanceof Y.XmlElement)) return (part as Y.XmlText).clone()
    const element = new Y.XmlElement(part.nodeName === name ? 'hologram' : part.nodeName)
    element.insert(0, part.toArray().map(copyPart))
    return element
  }
  copy.insert(0, text.toArray().map(copyPart))
  return copy
}

const drawnAttributes =
  /^(?:dir|class|role|data-[a-z-]+|type|start|checked|alt|src|width|datetime|height|href|target|rel|aria-label|rowspan|colspan)$/

/** In letters. */
const lengthLimits: Readonly<Record<string, number>> = {
  alt: 500,
  'data-name': 120,
  'data-type': 100,
  href: 2_048,
  src: 100,
}

function expectSafe(spec: DOMOutputSpec): void {
  if (typeof spec === 'string') return
  const [tag, ...rest] = spec as readonly unknown[]
  expect(tag).toMatch(/^[a-z]\w*$/)
  for (const part of rest) {
    if (Array.isArray(part)) expectSafe(part as unknown as DOMOutputSpec)
    // Letters are written as letters.
    else if (typeof part === 'string') expect(part.length).toBeLessThan(100_000)
    else
      for (const [name, value] of Object.entries(part as object)) {
        expect(name).toMatch(drawnAttributes)
        expect(String(value).length).toBeLessThanOrEqual(lengthLimits[name] ?? 59)
        expect(['string', 'number', 'boolean', 'object']).toContain(typeof value)
        if (name === 'src') expect(value).toMatch(/^data:image\/svg\+xml,%3Csvg [\w=':/. ]*\/%3E$/)
        if (name === 'href') expect(safeHref(value)).toBe(value)
        if (name === 'class') expect(String(value)).toMatch(/^[\w+#-]+$/)
      }
  }
}
