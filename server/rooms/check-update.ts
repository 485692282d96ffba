/**
 * Checks an edit before it touches a document, and refuses it whole if Yjs would refuse a part, or keep a part waiting for text that
 * nobody has. Knows the V1 encoding; does not know who may write.
 */
import { createDecoder, readVarUint } from 'lib0/decoding'
import * as Y from 'yjs'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { checkNames } from './check-values.ts'
import type { Clocks } from './clocks.ts'
import { IntegrationCost } from './integration-cost.ts'
import { runAllSteps } from './run-steps.ts'
import { type DecodedUpdate, type DeleteSet, readUpdateInSteps, type Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'
import { type StructRuns, removeKnownStructs } from './remove-known-structs.ts'

/** No text is that long. A clock beyond 2⁵³ would be encoded as bytes that nobody can decode. */
const MAX_CLOCK = 2 ** 32

/** Compares the known part of an edit with the text. Called with all structs, also the new ones. @throws {RoomRefusal} */
export type CheckRepeats = (structs: readonly Struct[], ds: DeleteSet) => void

export interface CheckedUpdate {
  /** The new part of the edit, which Yjs can apply. */
  readonly update: Uint8Array
  /** The same decoded: each struct comes after all that it refers to. */
  readonly structs: readonly Struct[]
  readonly ds: DeleteSet
  /** The clocks after the edit, of the clients whose structs it brings. */
  readonly clocks: Clocks
}

/**
 * @param knownClocks The document's clocks before the edit.
 * @param update A copy in an ArrayBuffer of its own, as `readUpdateInSteps` needs it.
 * @param checkRepeats Called if a part of the update is known. Not given for stored edits, which repeat nothing.
 * @param cost Null for a stored update, which may hold many edits that were each checked when they came.
 * @param decoded The decoded update, if there is one already.
 * @throws {RoomRefusal} `bad-update`, `too-large`, `too-costly`, and `behind` if it builds on text that the server does not have.
 */
export function checkUpdate(
  knownClocks: Clocks,
  update: Uint8Array,
  checkRepeats?: CheckRepeats,
  cost: IntegrationCost | null = new IntegrationCost(update.length),
  decoded: DecodedUpdate = cost ? runAllSteps(readUpdateInSteps(update, cost)) : Y.decodeUpdate(update),
): CheckedUpdate {
  const { structs, ds } = decoded
  const runs = runsOf(structs)
  if (cost) checkRunOrder(update, [...runs.keys()])
  for (const run of runs.values()) checkRun(run, knownClocks)
  checkDeletionOrder(ds)
  if ([...runs.values()].some(([first]) => isKnown(first as Struct, knownClocks))) {
    checkRepeats?.(structs, ds)
    cost?.countBytes(update.length) // it is encoded anew
    // The known part is removed, so that no window can get it with other content.
    const remaining = removeKnownStructs(runs, ds, knownClocks)
    return toCheckedUpdate(knownClocks, remaining.update, { structs: remaining.structs, ds })
  }
  return toCheckedUpdate(knownClocks, update, decoded)
}

/** @param update All of its structs are new, and each client's begin at its known clock. */
function toCheckedUpdate(
  knownClocks: Clocks,
  update: Uint8Array,
  { structs, ds }: { structs: readonly Struct[]; ds: DeleteSet },
): CheckedUpdate {
  const reached = new ReachedClocks(knownClocks)
  const orderedStructs = orderStructs(structs, reached)
  checkDeletions(ds, reached)
  return { update, structs: orderedStructs, ds, clocks: reached.newClocks }
}

const isKnown = ({ id }: Struct, knownClocks: Clocks): boolean => id.clock < (knownClocks.get(id.client) ?? 0)

function runsOf(structs: readonly Struct[]): StructRuns {
  const first = structs[0]?.id.client
  if (first === undefined) return new Map()
  if (structs.every(({ id }) => id.client === first)) return new Map([[first, structs]])
  return Map.groupBy(structs, ({ id }) => id.client)
}

/**
 * An update begins with the number of its runs. Of two runs of one client Yjs would lose the first. When it merges updates, it loses
 * a run that comes after one of a lower client, so whoever receives them merged would lack it.
 */
function checkRunOrder(update: Uint8Array, clients: readonly number[]): void {
  const runs = readVarUint(createDecoder(update))
  if (runs !== clients.length) throw refusal(serverRefusalsStrings.edit.runs(runs, clients.length))
  const isFalling = clients.every((client, index) => index === 0 || client < clients[index - 1]!)
  if (!isFalling) throw refusal(serverRefusalsStrings.edit.runsDisordered)
}

/** The clocks after the structs that were visited so far. */
class ReachedClocks {
  readonly #knownClocks: Clocks
  readonly newClocks = new Map<number, number>()

  constructor(knownClocks: Clocks) {
    this.#knownClocks = knownClocks
  }

  clockOf(client: number): number {
    return this.newClocks.get(client) ?? this.#knownClocks.get(client) ?? 0
  }

  /** False for NaN, which lib0 reads from a number with enough zeros before its end. */
  has({ client, clock }: StructRef): boolean {
    return clock < this.clockOf(client)
  }

  add({ id, length }: Struct): void {
    this.newClocks.set(id.client, id.clock + length)
  }
}

function checkRun(run: readonly Struct[], knownClocks: Clocks): void {
  const { client, clock } = (run[0] as Struct).id
  if (!Number.isSafeInteger(client) || !Number.isSafeInteger(clock))
    throw refusal(serverRefusalsStrings.edit.place(client, clock))
  const knownClock = knownClocks.get(client) ?? 0
  if (clock > knownClock) throw behindRefusal({ client, clock: clock - 1 }, knownClock)
  for (const struct of run) {
    // Yjs writes neither gaps nor empty structs; both confuse its own search.
    if (struct instanceof Y.Skip || struct.length === 0)
      throw refusal(serverRefusalsStrings.edit.hole(client))
    if (!(struct.id.clock + struct.length <= MAX_CLOCK))
      throw refusal(serverRefusalsStrings.edit.highClock(MAX_CLOCK))
    if (struct instanceof Y.Item) checkNames(struct)
  }
}

interface StructRef {
  readonly client: number
  readonly clock: number
}

/** Usually each struct already comes after all that it refers to. */
function orderStructs(structs: readonly Struct[], reached: ReachedClocks): readonly Struct[] {
  for (const struct of structs) {
    if (missingRefOf(struct, reached)) return orderAcrossClients(runsOf(structs), reached)
    reached.add(struct)
  }
  return structs
}

/**
 * Orders the structs as Yjs would: each after all that it refers to. Structs that refer to each other in a ring, or to something that
 * does not exist, are refused: Yjs would keep them waiting for ever.
 */
function orderAcrossClients(
  runs: ReadonlyMap<number, readonly Struct[]>,
  reached: ReachedClocks,
): readonly Struct[] {
  const ordered: Struct[] = []
  const takenCounts = new Map<number, number>()
  reached.newClocks.clear()
  for (const client of runs.keys()) orderClient(client)
  return ordered

  function orderClient(client: number): void {
    const neededRefs: StructRef[] = [{ client, clock: Infinity }]
    const waitingClients = new Set([client])
    for (let needed = neededRefs.at(-1); needed; needed = neededRefs.at(-1)) {
      const struct = runs.get(needed.client)?.[takenCounts.get(needed.client) ?? 0]
      const isReached = reached.has(needed) || (needed.clock === Infinity && !struct)
      if (isReached) waitingClients.delete((neededRefs.pop() as StructRef).client)
      else if (struct) takeStruct(struct, neededRefs, waitingClients)
      else throw behindRefusal(needed, reached.clockOf(needed.client))
    }
  }

  function takeStruct(struct: Struct, neededRefs: StructRef[], waitingClients: Set<number>): void {
    const missingRef = missingRefOf(struct, reached)
    if (!missingRef) {
      const { client } = struct.id
      takenCounts.set(client, (takenCounts.get(client) ?? 0) + 1)
      ordered.push(struct)
      return reached.add(struct)
    }
    // This is a ring within the update, which no later text would resolve.
    if (waitingClients.has(missingRef.client))
      throw refusal(builtOnDetail(missingRef, reached.clockOf(missingRef.client)))
    waitingClients.add(missingRef.client)
    neededRefs.push(missingRef)
  }
}

function missingRefOf(struct: Struct, reached: ReachedClocks): StructRef | null {
  if (!(struct instanceof Y.Item)) return null
  const { origin, rightOrigin, parent } = struct
  if (origin && !reached.has(origin)) return origin
  if (rightOrigin && !reached.has(rightOrigin)) return rightOrigin
  return parent instanceof Y.ID && !reached.has(parent) ? parent : null
}

/** Yjs writes ranges in order and without overlap; the cost of overlapping ranges would multiply. */
function checkDeletionOrder({ clients }: DeleteSet): void {
  for (const [client, ranges] of clients) {
    let previousEnd = 0
    for (const { clock, len } of ranges) {
      if (!(len > 0 && clock >= previousEnd))
        throw refusal(serverRefusalsStrings.edit.deletionsDisordered(client))
      previousEnd = clock + len
    }
  }
}

/** @param ds Its ranges are in order. */
function checkDeletions({ clients }: DeleteSet, reached: ReachedClocks): void {
  for (const [client, ranges] of clients) {
    const { clock, len } = ranges.at(-1)!
    const knownClock = reached.clockOf(client)
    if (clock + len > knownClock) throw behindRefusal({ client, clock: clock + len - 1 }, knownClock)
  }
}

/** The missing text may be on its way: a person's windows exchange edits directly, so one may build on an unsent one (W2). */
const behindRefusal = (ref: StructRef, knownClock: number): RoomRefusal =>
  new RoomRefusal({ code: 'behind', detail: builtOnDetail(ref, knownClock) })

const builtOnDetail = ({ client, clock }: StructRef, knownClock: number): string =>
  serverRefusalsStrings.edit.builtOn(client, clock, knownClock)

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
