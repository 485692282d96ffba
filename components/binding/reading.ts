/** What the reader of the shared text makes: a tree beside the editor's document. Knows nothing of how it is read. */
import type { Node } from '@tiptap/pm/model'
import type * as Y from 'yjs'
import type { Formats } from './formats.ts'

/** A node of the editor's document and what it stands for. */
export interface Reading {
  /** The editor's own node, as soon as that has been drawn. */
  node: Node
  /** The fragment or element it stands for; null for a node that is shown and not stored, and for one that is not known. */
  readonly source: Y.XmlFragment | null
  /** What an unknown part stands for, or an `UnknownGroup`; undefined for all others. */
  readonly unknown?: unknown
  /** One for each child of the node, unless it is a text block. */
  readonly children: readonly Reading[]
  /** For a text block, what its content stands for. */
  readonly inline: readonly InlineReading[] | null
  /** How many children of the shared type around it this node covers. */
  readonly width: number
  /** For a cell of a table that shows more than one, all of them. */
  readonly parts?: readonly CellPart[]
}

export interface CellPart {
  readonly source: Y.XmlElement
  /** How many of the cell's children are its own. */
  readonly count: number
}

/** Letters with the same formats, or one part among them. */
export interface InlineReading {
  /** The child of the text block that it is, or is within. */
  readonly child: unknown
  /** The child's index among those that the text block covers. */
  readonly index: number
  /** In units of the editor. 0 for a text without letters. */
  readonly size: number
  /** Within the child, if that is a text. */
  readonly offset: number
  /** In units of Yjs. */
  readonly length: number
  readonly formats: Formats
  readonly node: Node | null
  /** What an unknown part stands for. */
  readonly unknown?: unknown
}

/** Whether it is shown and not stored. */
export const isVirtual = ({ source, unknown }: Reading): boolean => source === null && unknown === undefined
