/**
 * Makes blocks that strangers wrote a document of the schema. What the schema does not know is counted and gives its letters; an attribute
 * is letters, a number or a truth value, whose meaning the block itself reads (lib/blocks).
 */
import { Fragment, Mark, type Node, Schema, Slice } from 'prosemirror-model'
import type { JsonMark, JsonNode } from '../blocks/json-node.ts'
import { parseColumns } from '../blocks/table/table-columns.ts'
import { limitNesting } from '../blocks/nesting-limit.ts'
import { textSchemaSpec } from '../blocks/text-schema.ts'
import { fieldsOf } from '../protocol/value-reader.ts'
import { importStrings } from '../strings/import.ts'
import type { ImportLosses } from './import-losses.ts'
import { MAX_NODES } from './import-limits.ts'
import { ImportRefused } from './imported-document.ts'
import { lettersOfJson, paragraphOf } from './json-letters.ts'

export const importSchema = new Schema(textSchemaSpec)

/** In UTF-16 units, of one attribute. */
const MAX_ATTRIBUTE_LENGTH = 20_000

/** @throws {ImportRefused} where there are too many. */
export function fitToSchema(blocks: readonly unknown[], name: string, losses: ImportLosses): JsonNode[] {
  const fitter = new SchemaFitter(name, losses)
  const nodes = fitter.blocks(blocks).map((block) => fitter.nodeOf(block))
  const content = importSchema.topNodeType.create(null, nodes).content
  return flatten(content, losses)
    .content.map((node) => node.toJSON() as JsonNode)
    .concat(nodes.length === 0 ? [{ type: 'paragraph' }] : [])
}

function flatten(content: Fragment, losses: ImportLosses): Fragment {
  const slice = new Slice(content, 0, 0)
  const limited = limitNesting(slice, 0)
  if (limited !== slice) losses.count('nesting')
  return limited.content
}

class SchemaFitter {
  readonly #name: string
  readonly #losses: ImportLosses
  #nodes = 0

  constructor(name: string, losses: ImportLosses) {
    this.#name = name
    this.#losses = losses
  }

  blocks(values: readonly unknown[]): JsonNode[] {
    return values.flatMap((value) => this.#fit(value, false))
  }

  #fit(value: unknown, isInline: boolean): JsonNode[] {
    if (++this.#nodes > MAX_NODES) throw new ImportRefused(importStrings.refused.tooManyParts(this.#name))
    const { type, attrs, content, marks, text } = fieldsOf(value)
    if (type === 'text') return typeof text === 'string' ? this.#letters(text, marks) : []
    const known =
      typeof type === 'string' && Object.hasOwn(importSchema.nodes, type) && importSchema.nodes[type]
    const holdsLetters = known ? known.inlineContent : isInline || !hasBlocks(content)
    const inner = Array.isArray(content)
      ? content.flatMap((one: unknown) => this.#fit(one, holdsLetters))
      : []
    if (known && known !== importSchema.topNodeType)
      return [
        nameColumns({
          type: known.name,
          ...this.#attributes(attrs, known.spec.attrs),
          ...(known.isInline && this.#marks(marks)),
          ...(inner.length > 0 && { content: inner }),
        }),
      ]
    this.#losses.count('unknown')
    if (isInline || !holdsLetters) return inner
    return inner.length === 0 ? [] : [{ type: 'paragraph', content: inner }]
  }

  #letters(text: string, marks: unknown): JsonNode[] {
    const letters = text.toWellFormed().replaceAll('\0', '\uFFFD')
    return letters === '' ? [] : [{ type: 'text', text: letters, ...this.#marks(marks) }]
  }

  #marks(value: unknown): { readonly marks?: readonly JsonMark[] } {
    const marks = (Array.isArray(value) ? (value as unknown[]) : []).flatMap((one): JsonMark[] => {
      const { type, attrs } = fieldsOf(one)
      const known =
        typeof type === 'string' && Object.hasOwn(importSchema.marks, type) && importSchema.marks[type]
      if (known) return [{ type: known.name, ...this.#attributes(attrs, known.spec.attrs) }]
      this.#losses.count('unknown')
      return []
    })
    return marks.length > 0 ? { marks } : {}
  }

  #attributes(value: unknown, spec: object = {}): { readonly attrs?: Record<string, unknown> } {
    const known = Object.entries(fieldsOf(value)).filter(([key]) => Object.hasOwn(spec, key))
    const isTooLong = (one: unknown) => typeof one === 'string' && one.length > MAX_ATTRIBUTE_LENGTH
    this.#losses.count('attribute', known.filter(([, one]) => isTooLong(one)).length)
    const entries = known.flatMap(([key, one]): [string, unknown][] => {
      if (typeof one === 'string') return isTooLong(one) ? [] : [[key, one.toWellFormed()]]
      return isPlain(one) ? [[key, one]] : []
    })
    return entries.length > 0 ? { attrs: Object.fromEntries(entries) } : {}
  }

  /** What a part must hold and lacks is added: an empty cell has a line. What stands where the schema allows none of it gives its letters. */
  nodeOf(block: JsonNode): Node {
    try {
      const node = this.#build(block)
      node?.check()
      if (node?.type.isInGroup('block')) return node
    } catch {
      // RangeError of ProseMirror: an attribute or a mark that does not fit.
    }
    this.#losses.count('unknown')
    return importSchema.nodeFromJSON(paragraphOf(lettersOfJson(block)))
  }

  /** Null for a part that can hold neither what is in it nor its letters. */
  #build(json: JsonNode): Node | null {
    if (json.text !== undefined) return importSchema.nodeFromJSON(json)
    const type = importSchema.nodes[json.type]!
    const marks = (json.marks ?? []).map((mark) => Mark.fromJSON(importSchema, mark))
    const children = (json.content ?? []).map((child) => this.#build(child))
    const create = (content: Fragment): Node | null => type.createAndFill(json.attrs ?? null, content, marks)
    if (!children.includes(null)) {
      const content = Fragment.from(children as Node[])
      const node = type.validContent(content)
        ? type.create(json.attrs ?? null, content, marks)
        : create(content)
      if (node && type.validContent(node.content)) return node
    }
    this.#losses.count('unknown')
    const { content: letters = [] } = paragraphOf(lettersOfJson(json))
    const line = letters.map((one) => importSchema.nodeFromJSON(one))
    const node = create(
      Fragment.from(type.inlineContent ? line : importSchema.nodes['paragraph']!.create(null, line)),
    )
    return node && type.validContent(node.content) ? node : null
  }
}

/** A cell of HTML names no column: it stands in that of its place. */
function nameColumns(node: JsonNode): JsonNode {
  if (node.type !== 'table') return node
  const ids = parseColumns(node.attrs?.['columns']).map(({ id }) => id)
  const nameCell = (cell: JsonNode, at: number): JsonNode =>
    cell.attrs?.['col'] ? cell : { ...cell, attrs: { ...cell.attrs, col: ids[at] ?? '' } }
  const content = (node.content ?? []).map((row) => ({ ...row, content: (row.content ?? []).map(nameCell) }))
  return { ...node, content }
}

const hasBlocks = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.some((one: unknown) => {
    const { type } = fieldsOf(one)
    return typeof type === 'string' && importSchema.nodes[type]?.isBlock === true
  })

const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
