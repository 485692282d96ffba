/**
 * The jobs of a worker on a large text: compute its state vector, the difference for a client, its digest, its size, or its pieces. Knows Yjs;
 * does not know rooms or threads.
 */
import * as Y from 'yjs'
import { digestOf } from '../../lib/protocol/digest.ts'
import { type PackedLoadedPart, type PackedUpdates, packUpdates, unpackUpdates } from '../store/batch.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomText } from './room-text.ts'
import { RoomDoc } from './integrate-update.ts'
import { countMemory } from './count-memory.ts'
import { encodeCount, type MemoryCount } from './memory-count.ts'
import { piecesOf } from './text-pieces.ts'

export type TextJob =
  | { readonly kind: 'state vector'; readonly loaded: PackedLoadedPart }
  | { readonly kind: 'difference'; readonly updates: PackedUpdates; readonly stateVector: Uint8Array }
  | { readonly kind: 'digest' | 'size' | 'pieces'; readonly updates: PackedUpdates }

/** Returns one result, or many for `pieces`. */
export async function performTextJob(job: TextJob): Promise<PackedUpdates> {
  switch (job.kind) {
    case 'state vector':
      return packUpdates([stateVectorOf(job.loaded)])
    case 'difference':
      return packUpdates([differenceOf(unpackUpdates(job.updates), job.stateVector)])
    case 'digest':
      return packUpdates([await digestOf(docOf(unpackUpdates(job.updates)))])
    case 'size':
      return packUpdates([encodeCount(sizeOf(unpackUpdates(job.updates)))])
    case 'pieces':
      return packUpdates(piecesOrMerged(unpackUpdates(job.updates)))
  }
}

const stateVectorOf = ({ updates, ...loaded }: PackedLoadedPart): Uint8Array =>
  Y.encodeStateVector(RoomText.fromLoaded({ ...loaded, updates: unpackUpdates(updates) }).clocks)

/** Uses no Y.Doc: the cost then depends only on the bytes, whatever their structs refer to. */
const differenceOf = (updates: readonly Uint8Array[], stateVector: Uint8Array): Uint8Array =>
  Y.mergeUpdates(updates.map((update) => Y.diffUpdate(update, stateVector)))

function sizeOf(updates: readonly Uint8Array[]): MemoryCount {
  return countMemory(Y.encodeStateAsUpdate(docOf(updates)), { isSnapshot: true })
}

function docOf(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new RoomDoc()
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  return doc
}

/** Merges the updates if one comes before the one that it builds on, as in older logs. */
function piecesOrMerged(updates: readonly Uint8Array[]): Uint8Array[] {
  try {
    return piecesOf(updates)
  } catch (error) {
    if (!(error instanceof RoomRefusal)) throw error
    return piecesOf([Y.mergeUpdates([...updates])])
  }
}
