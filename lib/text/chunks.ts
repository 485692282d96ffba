/**
 * A long text in pieces of some 32 blocks, so that a letter typed touches one piece of hundreds. Which block begins a piece is decided
 * by the block alone, not by its place: a block that comes or goes changes its own piece.
 */
import { blockTextOf } from './plain-text.ts'
import type { Block } from './tree.ts'

export interface Chunk {
  /** Unlike any other's in its text, and lasting. */
  readonly id: string
  readonly blocks: readonly Block[]
}

/** Pieces of one text from one change to the next: a piece whose blocks did not change stays the same object. */
export function createChunker(): (blocks: readonly Block[]) => readonly Chunk[] {
  let latest = new Map<string, Chunk>()
  let formerBlocks: readonly Block[] | undefined
  let chunks: readonly Chunk[] = []
  return (blocks) => {
    if (blocks === formerBlocks) return chunks
    formerBlocks = blocks
    chunks = chunksOf(blocks).map((chunk) => {
      const former = latest.get(chunk.id)
      return former && areSame(former.blocks, chunk.blocks) ? former : chunk
    })
    latest = new Map(chunks.map((chunk) => [chunk.id, chunk]))
    return chunks
  }
}

function chunksOf(blocks: readonly Block[]): Chunk[] {
  const starts = blocks.flatMap((block, index) => (index > 0 && beginsChunk(block) ? [index] : []))
  return [0, ...starts].map((start, at) => ({
    id: start === 0 ? 'first' : blocks[start]!.id,
    blocks: blocks.slice(start, starts[at]),
  }))
}

/** A paragraph with letters: nothing before it runs into it, neither a margin on screen nor a list in Markdown. */
const beginsChunk = (block: Block): boolean =>
  block.name === 'paragraph' && isSelectedByHash(block) && blockTextOf(block).trim() !== ''

/** One of 32, by Knuth's multiplicative hash of its clock: paragraphs of one length each have clocks at even distances. */
function isSelectedByHash({ type: { _item: item } }: Block): boolean {
  const { clock, client } = item?.id ?? { clock: 0, client: 0 }
  return Math.imul(clock ^ client, 0x9e3779b1) >>> 27 === 0
}

const areSame = (some: readonly Block[], others: readonly Block[]): boolean =>
  some.length === others.length && some.every((block, at) => block === others[at])
