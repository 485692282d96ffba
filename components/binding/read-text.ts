/**
 * Reads the shared text as a document that fits the schema, whatever Yjs holds. It is total and writes nothing. What a block lacks is filled
 * in and shown, not stored; what may stand only within another block is shown in one that is not stored either; what the schema does not
 * know, or has no place for, is shown as a whole.
 *
 * The outcome is a tree beside the editor's document, which says for each node what it stands for. Readings are kept by shared type until
 * something within it changes. Knows Yjs and the schema; does not know the editor.
 */
import { Fragment, type Mark, type Node, type NodeType, type Schema } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { firstItemOf } from '@/lib/yjs-internals/shared-type.ts'
import { type Formats, marksOf, nodeFormatsOf, readAttributes } from './formats.ts'
import { TableReader } from './read-table.ts'
import { type InlineReading, isVirtual, type Reading } from './reading.ts'
import { describePart, shownTextOf } from './unknown-content.ts'
import { UnknownGroups } from './unknown-groups.ts'

/** Deeper blocks are shown as an unknown part: a browser draws no more. */
const MAX_DEPTH = 120

const isElement = (part: unknown): part is Y.XmlElement => part instanceof Y.XmlElement

export class TextReader {
  readonly schema: Schema
  readonly #readings = new WeakMap<object, Reading>()
  /** The readings of what the schema does not know, or has no place for. */
  readonly #unknownReadings = new WeakMap<object, Reading>()
  readonly #tables: TableReader
  readonly #unknownGroups: UnknownGroups

  constructor(schema: Schema) {
    this.schema = schema
    this.#unknownGroups = new UnknownGroups(schema, this.#isUnknown)
    this.#tables = new TableReader(schema, (cell, type) =>
      this.#readBlocks(cell.toArray(), type, depthOf(cell)),
    )
  }

  /** @param length How many children of the text are read, from the first on. */
  read(text: Y.XmlFragment, length = text.length): Reading {
    const { topNodeType } = this.schema
    const parts = length < text.length ? text.slice(0, length) : text.toArray()
    // The top node takes any block, so that there is always a reading.
    const children = this.#readBlocks(parts, topNodeType, 0)!
    return { node: createNode(topNodeType, null, children), source: text, children, inline: null, width: 0 }
  }

  /** Drops the readings of a type that has changed, and of those around it. */
  forget(type: unknown): void {
    let depth = 0
    for (let at = type as Y.AbstractType<unknown> | null; at; at = at.parent) {
      this.#readings.delete(at)
      this.#unknownReadings.delete(at)
      this.#tables.forget(at, depth)
      depth += 1
      this.#unknownGroups.forget(at)
    }
  }

  #readElement(element: Y.XmlElement, depth: number): Reading {
    const kept = this.#readings.get(element)
    if (kept) return kept
    const type = depth < MAX_DEPTH ? this.#typeOf(element) : null
    const reading = (type && this.#readKnown(element, type, depth)) ?? this.#readUnknown(element)
    this.#readings.set(element, reading)
    return reading
  }

  /** Null where its content has no place in such a node. */
  #readKnown(element: Y.XmlElement, type: NodeType, depth: number): Reading | null {
    // Rows and cells are known in their tables alone.
    if (type.spec.tableRole) return type.spec.tableRole === 'table' ? this.#tables.read(element) : null
    const attributes = readAttributes(type, element.getAttributes())
    const parts = element.toArray()
    const base = { source: element, children: [], inline: null, width: 1 }
    if (type.isLeaf) return parts.length > 0 ? null : { ...base, node: type.create(attributes) }
    if (type.inlineContent) {
      const inline = this.#readInline(parts, type)
      const node = inline && createTextblock(type, attributes, inline)
      return node && { ...base, node, inline }
    }
    const children = this.#readBlocks(parts, type, depth + 1)
    return children && { ...base, node: createNode(type, attributes, children), children }
  }

  #readUnknown(part: unknown): Reading {
    const kept = part instanceof Y.AbstractType ? this.#unknownReadings.get(part) : undefined
    if (kept) return kept
    const node = this.schema.nodes.unknownBlock!.create({
      text: shownTextOf(part),
      content: describePart(part),
    })
    const reading: Reading = {
      node,
      source: null,
      unknown: part ?? null,
      children: [],
      inline: null,
      width: 1,
    }
    if (part instanceof Y.AbstractType) this.#unknownReadings.set(part, reading)
    return reading
  }

  #typeOf({ nodeName }: Y.XmlElement): NodeType | null {
    const { nodes, topNodeType } = this.schema
    const type = Object.hasOwn(nodes, nodeName) ? nodes[nodeName]! : null
    const isReserved = type?.isText || type === topNodeType || type?.name.startsWith('unknown')
    return isReserved ? null : type
  }

  // Blocks

  #readBlocks(parts: readonly unknown[], parent: NodeType, depth: number): readonly Reading[] | null {
    const readings: Reading[] = []
    let loose: unknown[] = []
    const addLoose = (): void => {
      if (loose.length > 0) readings.push(this.#readLoose(loose))
      loose = []
    }
    let isAmongUnknown = false
    for (let index = 0; index < parts.length;) {
      const part = parts[index]
      const kept = isElement(part) ? this.#readings.get(part) : undefined
      const isKnown = kept !== undefined && kept.unknown === undefined
      if (!isKnown && this.#isLoose(part)) loose.push(part)
      else addLoose()
      const groups: readonly Reading[] =
        isKnown || isAmongUnknown ? [] : this.#unknownGroups.read(parts, index)
      isAmongUnknown = !isKnown && groups.length === 0 && this.#isUnknown(part)
      if (groups.length > 0) readings.push(...groups)
      else if (loose.length === 0)
        readings.push(isElement(part) ? this.#readElement(part, depth) : this.#readUnknown(part))
      index += Math.max(widthOf(groups), 1)
    }
    addLoose()
    return this.#fit(parent, readings, depth)
  }

  /** Neither known nor among letters, whatever is in it. */
  #isUnknown = (part: unknown): boolean =>
    !this.#isLoose(part) && !(isElement(part) && this.#typeOf(part) !== null)

  /** Letters, and what else stands among letters. */
  #isLoose = (part: unknown): boolean =>
    part instanceof Y.Text || (isElement(part) && this.#typeOf(part)?.isInline === true)

  /** Letters beside blocks are shown in a paragraph that is not stored. */
  #readLoose(parts: readonly unknown[]): Reading {
    const type = this.schema.topNodeType.contentMatch.defaultType!
    const inline = this.#readInline(parts, type)!
    const node = createTextblock(type, null, inline)!
    return { node, source: null, children: [], inline, width: parts.length }
  }

  /** Makes a content for `parent` of the readings; null where it has no place for one of them. */
  #fit(parent: NodeType, readings: readonly Reading[], depth: number): readonly Reading[] | null {
    const fitted = [] as Reading[]
    let match = parent.contentMatch
    const add = (added: readonly Reading[]): void => {
      for (const reading of added) {
        fitted.push(reading)
        match = match.matchType(reading.node.type)!
      }
    }
    const findMissing = ({ node }: Reading): Fragment | null =>
      match.matchType(node.type) ? Fragment.empty : match.fillBefore(Fragment.from(node))
    const addFitting = (reading: Reading): boolean => {
      const next = match.matchType(reading.node.type)
      if (next) {
        fitted.push(reading)
        match = next
        return true
      }
      const missing = findMissing(reading)
      if (missing) add([...missing.content.map(fillIn), reading])
      return missing !== null
    }
    let batch = 1
    for (let index = 0; index < readings.length;) {
      const reading = readings[index]!
      if (addFitting(reading)) {
        index += 1
        continue
      }
      // Neighbours that need the same wrapper share one. It takes ever more of them at once: each time it is fitted as a whole.
      const next = readings.slice(index, index + batch)
      const fitting = next.findIndex((one) => findMissing(one) !== null)
      const joining = fitting < 0 ? next : next.slice(0, fitting)
      const joined = this.#joinWrapper(fitted.at(-1), joining, depth)
      if (joined) {
        fitted[fitted.length - 1] = joined
        index += joining.length
        batch *= 2
      } else if (joining.length > 1) batch = 1
      else {
        if (!this.#wrappersOf(reading, match, depth).some(addFitting)) {
          const { source } = reading
          if (!source || !addFitting(this.#readUnknown(source))) return null
        }
        index += 1
        batch = 1
      }
    }
    const end = match.fillBefore(Fragment.empty, true)
    if (end) add(end.content.map(fillIn))
    return end && fitted
  }

  #joinWrapper(wrapper: Reading | undefined, readings: readonly Reading[], depth: number): Reading | null {
    if (!wrapper || !isVirtual(wrapper) || wrapper.inline || wrapper.width === 0) return null
    const stored = wrapper.children.filter(({ width }) => width > 0)
    return this.#wrap(wrapper.node.type, [...stored, ...readings], depth)
  }

  #wrap(type: NodeType, readings: readonly Reading[], depth: number): Reading | null {
    const children = this.#fit(type, readings, depth)
    if (!children) return null
    return {
      node: createNode(type, null, children),
      source: null,
      children,
      inline: null,
      width: widthOf(readings),
    }
  }

  /** The blocks around the reading that may stand where it may not. */
  #wrappersOf(reading: Reading, match: NodeType['contentMatch'], depth: number): Reading[] {
    const wrappers: Reading[] = []
    const chain = match.findWrapping(reading.node.type)
    if (chain?.length) {
      const wrapped = chain.reduceRight<Reading | null>(
        (inner, type) => inner && this.#wrap(type, [inner], depth),
        reading,
      )
      if (wrapped) wrappers.push(wrapped)
    }
    for (const type of Object.values(this.schema.nodes)) {
      if (type === this.schema.topNodeType || type.isLeaf || type.inlineContent || type.hasRequiredAttrs())
        continue
      if (type.spec.tableRole) continue
      const holds =
        type.contentMatch.matchType(reading.node.type) ??
        type.contentMatch.fillBefore(Fragment.from(reading.node))
      const wrapped = holds && this.#wrap(type, [reading], depth)
      if (wrapped) wrappers.push(wrapped)
    }
    return wrappers
  }

  // Letters

  /** Null where one of the parts may not stand among the letters of such a block. */
  #readInline(parts: readonly unknown[], block: NodeType): readonly InlineReading[] | null {
    const readings = parts.flatMap((part, index) =>
      part instanceof Y.Text
        ? this.#readText(part, index, block)
        : [this.#readInlinePart(part, index, block)],
    )
    let match: typeof block.contentMatch | null = block.contentMatch
    for (const { node } of readings) if (node) match = match?.matchType(node.type) ?? null
    return match && readings
  }

  #readInlinePart(part: unknown, index: number, block: NodeType): InlineReading {
    const base = { child: part, index, size: 1, offset: 0, length: 1 }
    const type = isElement(part) ? this.#typeOf(part) : null
    if (
      isElement(part) &&
      type?.isInline &&
      type.isLeaf &&
      part.length === 0 &&
      block.contentMatch.matchType(type)
    ) {
      const stored = part.getAttributes() as Formats
      const formats = nodeFormatsOf(stored)
      const node = type.create(readAttributes(type, stored), null, marksOf(formats, this.schema, block))
      return { ...base, formats, node }
    }
    const formats = isElement(part) ? nodeFormatsOf(part.getAttributes()) : {}
    return {
      ...base,
      formats,
      node: this.#unknownInline(part, marksOf(formats, this.schema, block)),
      unknown: part,
    }
  }

  #unknownInline(part: unknown, marks: readonly Mark[] = [], isEmbedded = false): Node {
    const attributes = { text: shownTextOf(part), content: describePart(part, isEmbedded) }
    return this.schema.nodes.unknownInline!.create(attributes, null, marks)
  }

  /** Reads the items themselves: `toDelta` leaves out content that only a hostile program writes, and counts it all the same. */
  #readText(text: Y.Text, index: number, block: NodeType): InlineReading[] {
    const readings: InlineReading[] = []
    const formats = new Map<string, unknown>()
    let [letters, offset] = ['', 0]
    const add = (node: Node | null, size: number, length: number, unknown?: unknown): void => {
      readings.push({
        child: text,
        index,
        size,
        offset,
        length,
        formats: Object.fromEntries(formats),
        node,
        unknown,
      })
      offset += length
    }
    const marks = () => marksOf(Object.fromEntries(formats), this.schema, block)
    const addLetters = (): void => {
      if (letters) add(this.schema.text(letters, marks()), letters.length, letters.length)
      letters = ''
    }
    for (let item = firstItemOf(text); item; item = item.right) {
      if (item.deleted) continue
      const { content } = item
      if (content instanceof Y.ContentString) letters += content.str
      else if (content instanceof Y.ContentFormat) {
        addLetters()
        if (content.value === null) formats.delete(content.key)
        else formats.set(content.key, content.value)
      } else if (item.countable) {
        addLetters()
        const part = embeddedPartOf(content)
        add(this.#unknownInline(part, marks(), true), 1, item.length, part)
      }
    }
    addLetters()
    if (readings.length === 0) add(null, 0, 0)
    return readings
  }
}

/** How many blocks are around its content. */
function depthOf(element: Y.XmlElement): number {
  let depth = 0
  for (let at: { readonly parent: unknown } | null = element; at; at = at.parent as typeof at) depth += 1
  return depth - 1
}

const widthOf = (readings: readonly Reading[]): number => readings.reduce((sum, { width }) => sum + width, 0)

function embeddedPartOf(content: Y.Item['content']): unknown {
  if (content instanceof Y.ContentEmbed) return content.embed
  return content instanceof Y.ContentType ? content.type : null
}

const fillIn = (node: Node): Reading => ({
  node,
  source: null,
  children: node.inlineContent ? [] : node.children.map(fillIn),
  inline: node.inlineContent ? [] : null,
  width: 0,
})

const createNode = (type: NodeType, attributes: Formats | null, children: readonly Reading[]): Node =>
  type.create(attributes, Fragment.fromArray(children.map(({ node }) => node)))

function createTextblock(
  type: NodeType,
  attributes: Formats | null,
  inline: readonly InlineReading[],
): Node | null {
  const nodes = inline.flatMap(({ node }) => (node ? [node] : []))
  return type.create(attributes, Fragment.fromArray(nodes))
}
