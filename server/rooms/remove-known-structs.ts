/** Removes from an edit what a document already has. Knows the V1 encoding; does not know the document. */
import { type Encoder, writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'
import type { DecodedUpdate, DeleteSet, Struct } from './read-update.ts'

export type StructRuns = ReadonlyMap<number, readonly Struct[]>

interface RemainingUpdate {
  /** The same as from `Y.diffUpdate`, which would decode the edit again. */
  readonly update: Uint8Array
  readonly structs: readonly Struct[]
}

/**
 * @param runs Each client's structs without a gap. A struct that is known in part is cut.
 * @param knownClocks Each client's clock after the last known struct.
 */
export function removeKnownStructs(
  runs: StructRuns,
  ds: DecodedUpdate['ds'],
  knownClocks: ReadonlyMap<number, number>,
): RemainingUpdate {
  const remaining = [...runs]
    .map(([client, run]) => structsFrom(run, knownClocks.get(client) ?? 0))
    .filter((run) => run.length > 0)
  const encoder = new Y.UpdateEncoderV1()
  writeVarUint(encoder.restEncoder, remaining.length)
  for (const run of remaining) writeRun(encoder, run)
  writeDeleteSet(encoder.restEncoder, ds)
  return { update: encoder.toUint8Array(), structs: remaining.flat() }
}

function structsFrom(run: readonly Struct[], clock: number): readonly Struct[] {
  const first = run.findIndex(({ id, length }) => id.clock + length > clock)
  if (first === -1) return []
  const firstStruct = run[first]!
  const rest = run.slice(first)
  if (firstStruct.id.clock < clock) rest[0] = remainderOf(firstStruct, clock)
  return rest
}

function remainderOf(struct: Struct, clock: number): Struct {
  const { client } = struct.id
  const knownLength = clock - struct.id.clock
  const id = Y.createID(client, clock)
  if (!(struct instanceof Y.Item)) return new Y.GC(id, struct.length - knownLength)
  const origin = Y.createID(client, clock - 1)
  return new Y.Item(
    id,
    null,
    origin,
    null,
    struct.rightOrigin,
    null,
    null,
    struct.content.splice(knownLength),
  )
}

function writeRun(encoder: Y.UpdateEncoderV1, run: readonly Struct[]): void {
  const { client, clock } = run[0]!.id
  writeVarUint(encoder.restEncoder, run.length)
  encoder.writeClient(client)
  writeVarUint(encoder.restEncoder, clock)
  for (const struct of run) struct.write(encoder, 0)
}

function writeDeleteSet(encoder: Encoder, { clients }: DeleteSet): void {
  writeVarUint(encoder, clients.size)
  // Uses the order of Yjs, so that one edit has one encoding.
  for (const [client, ranges] of [...clients].sort(([a], [b]) => b - a)) {
    writeVarUint(encoder, client)
    writeVarUint(encoder, ranges.length)
    for (const { clock, len } of ranges) {
      writeVarUint(encoder, clock)
      writeVarUint(encoder, len)
    }
  }
}
