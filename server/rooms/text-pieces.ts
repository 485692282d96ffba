/**
 * Cuts a stored text into pieces, from which a Y.Doc is built with pauses in between: as one update, a large text would block
 * everybody while Yjs reads it. Runs in a worker, which integrates each piece as a trial, and ends the piece when that took long.
 */
import { createEncoder, toUint8Array, writeUint8Array, writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'
import { resolveReferences, structsOf } from '../../lib/yjs-internals/struct-store.ts'
import { type CheckedUpdate, checkUpdate } from './check-update.ts'
import type { Struct } from './read-update.ts'
import { RoomDoc } from './integrate-update.ts'

/** A piece ends after this much integration time, or this many structs. */
const MAX_PIECE_MS = 2
const MAX_PIECE_STRUCTS = 1_000

/**
 * Returns V1 updates that bring the same text, each building at most on those before it.
 * @throws {RoomRefusal} if a struct builds on something that is not there.
 */
export function piecesOf(updates: readonly Uint8Array[]): Uint8Array[] {
  const doc = new RoomDoc()
  const knownClocks = new Map<number, number>()
  return updates.flatMap((update) => {
    // The check gets a copy, because Yjs decodes it and trusts the lengths that it reads.
    const checked = checkUpdate(knownClocks, update.slice(), undefined, null)
    for (const [client, clock] of checked.clocks) knownClocks.set(client, clock)
    return [...structPieces(doc, checked), ...deletionPieces(doc, checked.ds)]
  })
}

interface WrittenStruct {
  readonly id: Y.ID
  readonly bytes: Uint8Array
}

function structPieces(doc: Y.Doc, { structs }: CheckedUpdate): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let nextIndex = 0; nextIndex < structs.length;) {
    const piece: WrittenStruct[] = []
    const startedAt = performance.now()
    doc.transact((transaction) => {
      while (nextIndex < structs.length && piece.length < MAX_PIECE_STRUCTS) {
        const struct = structs[nextIndex] as Struct
        nextIndex += 1
        piece.push(encodeStruct(struct)) // before its integration, which replaces its references
        integrateStruct(struct, transaction)
        if (performance.now() - startedAt > MAX_PIECE_MS) return
      }
    })
    pieces.push(encodePiece(piece))
  }
  return pieces
}

/** Does not check the struct's place, which was checked when the edit came. */
function integrateStruct(struct: Struct, transaction: Y.Transaction): void {
  const { doc } = transaction
  // A root is still a name, since the item was decoded without a document.
  if (struct instanceof Y.Item && typeof struct.parent === 'string') struct.parent = doc.get(struct.parent)
  const missingClient = resolveReferences(struct, transaction)
  if (missingClient !== null) throw new Error(`it waits for client ${missingClient}`)
  struct.integrate(transaction, 0)
}

function encodeStruct(struct: Struct): WrittenStruct {
  const encoder = new Y.UpdateEncoderV1()
  struct.write(encoder, 0)
  return { id: struct.id, bytes: toUint8Array(encoder.restEncoder) }
}

/** A client's structs form one run, since each follows the one before it. */
function encodePiece(piece: readonly WrittenStruct[]): Uint8Array {
  const encoder = createEncoder()
  const runs = Map.groupBy(piece, ({ id }) => id.client)
  writeVarUint(encoder, runs.size)
  for (const [client, run] of runs) {
    for (const number of [run.length, client, (run[0] as WrittenStruct).id.clock])
      writeVarUint(encoder, number)
    for (const { bytes } of run) writeUint8Array(encoder, bytes)
  }
  writeVarUint(encoder, 0) // nothing deleted
  return toUint8Array(encoder)
}

interface DeletedRange {
  readonly client: number
  readonly clock: number
  readonly length: number
  /** How many structs are in the range, at most. */
  readonly structs: number
}

function deletionPieces(doc: Y.Doc, { clients }: CheckedUpdate['ds']): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (const [client, ranges] of clients) {
    const deletedRanges = ranges.flatMap(({ clock, len }) => splitRange(doc, client, clock, clock + len))
    for (let from = 0; from < deletedRanges.length;) {
      const piece: DeletedRange[] = []
      for (let structs = 0; from < deletedRanges.length && structs < MAX_PIECE_STRUCTS; from++) {
        const range = deletedRanges[from] as DeletedRange
        piece.push(range)
        structs += range.structs
      }
      pieces.push(encodeDeletions(client, piece))
    }
  }
  for (const piece of pieces) Y.applyUpdate(doc, piece)
  return pieces
}

/** Cuts only between structs: a cut within one would split it in two for good. */
function splitRange(doc: Y.Doc, client: number, clock: number, end: number): DeletedRange[] {
  const structs = structsOf(doc, client)!
  const ranges: DeletedRange[] = []
  let index = Y.findIndexSS(structs, clock)
  for (let from = clock; from < end;) {
    index += MAX_PIECE_STRUCTS
    const to = Math.min(end, structs[index]?.id.clock ?? end)
    ranges.push({ client, clock: from, length: to - from, structs: Math.min(MAX_PIECE_STRUCTS, to - from) })
    from = to
  }
  return ranges
}

function encodeDeletions(client: number, ranges: readonly DeletedRange[]): Uint8Array {
  const encoder = createEncoder()
  for (const number of [0, 1, client, ranges.length]) writeVarUint(encoder, number)
  for (const { clock, length } of ranges) for (const number of [clock, length]) writeVarUint(encoder, number)
  return toUint8Array(encoder)
}
