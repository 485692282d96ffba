/**
 * Reads the shared text as a document that fits the schema, whatever Yjs holds. It is total and writes nothing: the binding's own reader
 * deletes, for everybody, what does not fit, and two edits that meet are enough for that. What a block lacks is filled in, as shown and not
 * stored: it becomes real when somebody writes in it. What the schema has no place for is shown as its letters.
 */

import { Fragment, type Mark, type Node, type NodeType, type Schema } from '@tiptap/pm/model'
import * as Y from 'yjs'

/** The nodes that one child of the shared text is read as. */
export interface ReadBlock {
  readonly nodes: readonly Node[]
  /** The binding can write within it: it is a single block, and everything in it was understood. */
  readonly fits: boolean
}

/** Called for each element that is read as one node, with that node. */
type ElementListener = (element: Y.XmlElement, node: Node) => void

type Attributes = Readonly<Record<string, unknown>>

/** Text blocks that stand for nothing in the shared text. */
const virtualBlocks = new WeakSet<Node>()
/** Blocks that stand for a part which the schema does not know. */
const standIns = new WeakSet<Node>()

export const isVirtual = (node: Node): boolean => virtualBlocks.has(node)

export const isStandIn = (node: Node): boolean => standIns.has(node)

/** Called when a node that was filled in has been written. */
export const markReal = (node: Node): void => void virtualBlocks.delete(node)

/** In place of anything in a text that is no letter, as in `lib/text/tree.ts`. */
const OBJECT = '\uFFFC'

export class TextReader {
  readonly #schema: Schema
  readonly #onElement: ElementListener
  #fits = true

  constructor(schema: Schema, onElement: ElementListener = () => {}) {
    this.#schema = schema
    this.#onElement = onElement
  }

  readText(text: Y.XmlFragment): Node {
    const { topNodeType } = this.#schema
    return topNodeType.create(null, this.#fit(topNodeType, text.toArray().flatMap(this.#blocksOf)))
  }

  readBlock(child: unknown): ReadBlock {
    this.#fits = true
    const { content } = this.#fit(this.#schema.topNodeType, this.#blocksOf(child))
    return { nodes: content, fits: this.#fits }
  }

  /** The nodes of a child of something that holds blocks. Letters and line breaks among them are put into paragraphs by `#fit`. */
  readonly #blocksOf = (child: unknown): Node[] => {
    if (child instanceof Y.XmlElement) return this.#nodesOf(child)
    this.#fits = false
    if (child instanceof Y.Text)
      return [this.#paragraph.create(null, this.#lettersOf(child, this.#paragraph))]
    return [this.#standIn(child instanceof Y.XmlFragment ? child.toArray() : [])]
  }

  #nodesOf(element: Y.XmlElement): Node[] {
    const type = this.#typeOf(element)
    if (!type) return [this.#standIn(element.toArray())]
    const children = element.toArray()
    const attributes = this.#attributesOf(element.getAttributes(), type.spec.attrs)
    if (type.isLeaf) return [this.#create(element, type, attributes), ...this.#misfits(children)]
    const content = type.inlineContent
      ? children.flatMap((child) => this.#inlineOf(child, type))
      : this.#fit(type, children.flatMap(this.#blocksOf))
    return [this.#create(element, type, attributes, content)]
  }

  #create(
    element: Y.XmlElement,
    type: NodeType,
    attributes: Attributes,
    content?: Fragment | readonly Node[],
  ): Node {
    const node = type.create(attributes, content)
    this.#onElement(element, node)
    return node
  }

  #misfits(children: readonly unknown[]): Node[] {
    if (children.length > 0) this.#fits = false
    return children.flatMap(this.#blocksOf)
  }

  #standIn(children: readonly unknown[]): Node {
    this.#fits = false
    const type = this.#schema.nodes.blockquote!
    const node = type.create(null, this.#fit(type, children.flatMap(this.#blocksOf)))
    standIns.add(node)
    return node
  }

  #typeOf({ nodeName }: Y.XmlElement): NodeType | null {
    const { nodes, topNodeType } = this.#schema
    const type = Object.hasOwn(nodes, nodeName) ? nodes[nodeName]! : null
    return type?.isText || type === topNodeType ? null : type
  }

  get #paragraph(): NodeType {
    return this.#schema.nodes.paragraph!
  }

  /**
   * Makes a content for `parent` of the nodes: fills in what is missing between them, wraps what may stand here only within something else,
   * and puts in place of the rest what is within it.
   */
  #fit(parent: NodeType, nodes: readonly Node[]): Fragment {
    const fitted: Node[] = []
    let match = parent.contentMatch
    const add = (...added: readonly Node[]): void => {
      for (const node of added) {
        fitted.push(node)
        match = match.matchType(node.type)!
      }
    }
    const waiting = nodes.toReversed()
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const missing = match.matchType(node.type) ? Fragment.empty : match.fillBefore(Fragment.from(node))
      if (missing) {
        add(...virtual(missing), node)
        continue
      }
      this.#fits = false
      const wrapping = match.findWrapping(node.type)
      if (wrapping)
        add(wrapping.reduceRight((inner, type) => type.create(null, this.#fit(type, [inner])), node))
      else waiting.push(...node.children.toReversed())
    }
    const end = match.fillBefore(Fragment.empty, true) ?? Fragment.empty
    return Fragment.from([...fitted, ...virtual(end)])
  }

  /** The nodes of a child of a text block: the letters of whatever stands there. */
  #inlineOf(child: unknown, block: NodeType): Node[] {
    if (child instanceof Y.Text) return this.#lettersOf(child, block)
    const type = child instanceof Y.XmlElement ? this.#typeOf(child) : null
    if (child instanceof Y.XmlElement && type?.isInline && block.contentMatch.matchType(type)) {
      if (child.length > 0) this.#fits = false
      const node = this.#create(child, type, this.#attributesOf(child.getAttributes(), type.spec.attrs))
      return [node, ...child.toArray().flatMap((inner) => this.#inlineOf(inner, block))]
    }
    this.#fits = false
    const inner =
      child instanceof Y.XmlFragment ? child.toArray().flatMap((part) => this.#inlineOf(part, block)) : []
    return inner.length > 0 ? inner : [this.#schema.text(block.spec.code ? '\n' : OBJECT)]
  }

  #lettersOf(text: Y.Text, block: NodeType): Node[] {
    let length = 0
    const nodes = (text.toDelta() as DeltaInsert[]).flatMap(({ insert, attributes = {} }) => {
      if (typeof insert !== 'string') {
        length += 1
        return this.#inlineOf(insert, block)
      }
      length += insert.length
      return [this.#schema.text(insert, this.#marksOf(attributes, block))]
    })
    // Yjs leaves out of a text's letters what no text of its own holds, and counts it all the same.
    if (length !== text.length || !(text instanceof Y.XmlText)) this.#fits = false
    return nodes
  }

  #marksOf(attributes: Attributes, block: NodeType): readonly Mark[] {
    let marks: readonly Mark[] = []
    for (const [key, value] of Object.entries(attributes)) {
      // The binding writes a mark that may overlap itself as `name--hash`.
      const name = key.replace(/--[\da-zA-Z+/=]{8}$/, '')
      const type = Object.hasOwn(this.#schema.marks, name) ? this.#schema.marks[name]! : null
      if (type && block.allowsMarkType(type))
        marks = type.create(this.#attributesOf(recordOf(value), type.spec.attrs)).addToSet(marks)
      else this.#fits = false
    }
    return marks
  }

  /** The attributes that the schema knows, with simple values. The binding would remove the others with the next letter. */
  #attributesOf(attributes: Attributes, known: Attributes = {}): Attributes {
    const entries = Object.entries(attributes)
    const understood = entries.filter(([name, value]) => Object.hasOwn(known, name) && isSimple(value))
    if (understood.length < entries.length) this.#fits = false
    return Object.fromEntries(understood)
  }
}

interface DeltaInsert {
  readonly insert: unknown
  readonly attributes?: Attributes
}

const isSimple = (value: unknown): boolean =>
  value === null || ['undefined', 'string', 'number', 'boolean'].includes(typeof value)

/** Other programs write `true` for a mark without attributes. */
const recordOf = (value: unknown): Attributes =>
  typeof value === 'object' && value !== null ? (value as Attributes) : {}

function virtual({ content }: Fragment): readonly Node[] {
  for (const node of content) {
    virtualBlocks.add(node)
    node.descendants((inner) => void virtualBlocks.add(inner))
  }
  return content
}

/** Whether the binding can write in the text without a loss to anybody. */
export const fitsSchema = (text: Y.XmlFragment, schema: Schema): boolean => {
  const reader = new TextReader(schema)
  return text.toArray().every((child) => reader.readBlock(child).fits)
}
