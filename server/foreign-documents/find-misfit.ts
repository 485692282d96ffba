/** Finds what the editor would delete from a text: nodes and marks that it does not know, and nodes in a place where they must not be. */
import { Fragment, type Node, Schema } from 'prosemirror-model'
import * as Y from 'yjs'
import { textSchemaSpec } from '../../lib/blocks/text-schema.ts'

const textSchema = new Schema(textSchemaSpec)

class Misfit extends Error {}

/** Returns a sentence's end, as "it has a node image", or null. */
export function findMisfit(text: Y.XmlFragment): string | null {
  try {
    const { contentMatch } = textSchema.topNodeType
    const blocks = childrenOf(text)
    const match = contentMatch.matchFragment(Fragment.from(blocks))
    // A text without blocks gets its first one from the editor.
    return blocks.length === 0 || match?.validEnd ? null : 'a block stands where it must not'
  } catch (error) {
    if (error instanceof Misfit) return error.message
    throw error
  }
}

const childrenOf = (parent: Y.XmlFragment): Node[] =>
  parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return textNodesOf(child)
    if (child instanceof Y.XmlElement) return nodeOf(child)
    throw new Misfit('it has a hook')
  })

function nodeOf(element: Y.XmlElement): Node {
  const name = element.nodeName
  if (!Object.hasOwn(textSchema.nodes, name) || name === 'text') throw new Misfit(`it has a node ${name}`)
  const children = Fragment.from(childrenOf(element))
  try {
    return textSchema.nodes[name]!.createChecked(null, children)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Misfit(`a node ${name} has something in it that it must not have`)
  }
}

interface TextPiece {
  readonly insert: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
}

function textNodesOf(text: Y.XmlText): Node[] {
  return (text.toDelta() as TextPiece[]).map(({ insert, attributes = {} }) => {
    if (typeof insert !== 'string') throw new Misfit('it has an embed')
    return textSchema.text(insert, Object.keys(attributes).map(markOf))
  })
}

function markOf(key: string) {
  // The editor's binding writes a mark that may overlap itself as `name--hash`.
  const name = key.replace(/--[\da-zA-Z+/=]{8}$/, '')
  if (!Object.hasOwn(textSchema.marks, name)) throw new Misfit(`it has a mark ${name}`)
  return textSchema.marks[name]!.create()
}
