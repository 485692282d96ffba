/**
 * Cuts a long text into chunks of some 32 blocks, so that a typed letter touches one chunk of hundreds. The block alone, not its place,
 * decides whether it begins a chunk: a block that is added or removed changes only its own chunk.
 */
import { paragraph } from '../blocks/paragraph/paragraph.ts'
import { itemOf } from '../yjs-internals/shared-type.ts'
import { blockTextOf } from './plain-text.ts'
import type { Block } from './tree.ts'

export interface Chunk {
  /** Unique in its text, and lasting. */
  readonly id: string
  readonly blocks: readonly Block[]
}

/** Keeps the chunks of one text from one change to the next: a chunk whose blocks did not change stays the same object. */
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

/** A paragraph with letters may begin a chunk: nothing before it runs into it, neither a margin on screen nor a list in Markdown. */
const beginsChunk = (block: Block): boolean =>
  block.name === paragraph.name && isSelectedByHash(block) && blockTextOf(block).trim() !== ''

/** Selects one of 32, by Knuth's multiplicative hash of the clock: paragraphs of the same length have clocks at even distances. */
function isSelectedByHash({ type }: Block): boolean {
  const { clock, client } = itemOf(type)?.id ?? { clock: 0, client: 0 }
  return Math.imul(clock ^ client, 0x9e3779b1) >>> 27 === 0
}

const areSame = (some: readonly Block[], others: readonly Block[]): boolean =>
  some.length === others.length && some.every((block, at) => block === others[at])
