/**
 * Looks at an edit before it touches a document: what Yjs would refuse, or would keep waiting for text that nobody has, is
 * refused here, and nothing of it is stored. Knows the V1 encoding; does not know who may write.
 */
import { createDecoder, readVarUint } from 'lib0/decoding'
import * as Y from 'yjs'
import { strings } from '../../lib/strings/server-refusals.ts'
import { checkNames } from './check-values.ts'
import { IntegrationCost } from './integration-cost.ts'
import { withoutPause } from './pauses.ts'
import { type DecodedUpdate, type DeleteSet, readUpdateSteps, type Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'
import { type Runs, withoutKnown } from './without-known.ts'

/** Of each client, the clock behind its last struct. */
export type Clocks = ReadonlyMap<number, number>

/** No text is that long; beyond 2⁵³ a clock would encode as bytes that nobody can read again. */
const MAX_CLOCK = 2 ** 32

/** Holds the known part of an edit against the text. Called with all structs of it, also those that are new. @throws {RoomRefusal} */
export type CheckRepeats = (structs: readonly Struct[], ds: DeleteSet) => void

export interface Checked {
  /** What of it is new, as Yjs can take it in. */
  readonly update: Uint8Array
  /** The same decoded: each struct behind all that it refers to. */
  readonly structs: readonly Struct[]
  readonly ds: DeleteSet
  /** Of the Yjs clients whose structs it brings, what is known of them with it. */
  readonly clocks: Clocks
}

/**
 * @param known What is there already.
 * @param update A copy in an ArrayBuffer of its own, as `readUpdateSteps` needs it.
 * @param checkRepeats Called where a part of the update is known. The edits of a store are known to repeat nothing.
 * @param cost Null for what is stored: it may be many edits in one, and each of them was looked at when it came.
 * @param decoded The update, where it has been read.
 * @throws {RoomRefusal} `bad-update`, `too-large`, `too-costly`, and `behind` where it only builds on text that is unknown here.
 */
export function checkUpdate(
  known: Clocks,
  update: Uint8Array,
  checkRepeats?: CheckRepeats,
  cost: IntegrationCost | null = new IntegrationCost(update.length),
  decoded: DecodedUpdate = cost ? withoutPause(readUpdateSteps(update, cost)) : Y.decodeUpdate(update),
): Checked {
  const { structs, ds } = decoded
  const runs = runsOf(structs)
  if (cost) checkHead(update, [...runs.keys()])
  for (const run of runs.values()) checkRun(run, known)
  if ([...runs.values()].some(([first]) => isKnown(first as Struct, known))) {
    checkRepeats?.(structs, ds)
    // Who says known text in other words would have us and the others disagree on it.
    const news = withoutKnown(runs, ds, known)
    return settled(known, news.update, { structs: news.structs, ds })
  }
  return settled(known, update, decoded)
}

/** The structs are new, and each client's follow on what is known of it. */
function settled(
  known: Clocks,
  update: Uint8Array,
  { structs, ds }: { structs: readonly Struct[]; ds: DeleteSet },
): Checked {
  const reached = new Reached(known)
  const inOrder = settle(structs, reached)
  checkDeletes(ds, reached)
  return { update, structs: inOrder, ds, clocks: reached.news }
}

const isKnown = ({ id }: Struct, known: Clocks): boolean => id.clock < (known.get(id.client) ?? 0)

function runsOf(structs: readonly Struct[]): Runs {
  const first = structs[0]?.id.client
  if (first === undefined) return new Map()
  if (structs.every(({ id }) => id.client === first)) return new Map([[first, structs]])
  return Map.groupBy(structs, ({ id }) => id.client)
}

/**
 * An update begins with the number of its runs. Of two runs of one client Yjs would forget the first; and where updates are merged, it
 * forgets a run behind one of a lower client, so that whoever hears them merged would lack it.
 */
function checkHead(update: Uint8Array, clients: readonly number[]): void {
  const runs = readVarUint(createDecoder(update))
  if (runs !== clients.length) throw refusal(strings.edit.runs(runs, clients.length))
  const isFalling = clients.every((client, index) => index === 0 || client < clients[index - 1]!)
  if (!isFalling) throw refusal(strings.edit.runsDisordered)
}

/** What is known with the structs that were looked at so far. */
class Reached {
  readonly #known: Clocks
  readonly news = new Map<number, number>()

  constructor(known: Clocks) {
    this.#known = known
  }

  of(client: number): number {
    return this.news.get(client) ?? this.#known.get(client) ?? 0
  }

  /** Never for NaN, which lib0 reads where enough zeros stand before the end of a number. */
  has({ client, clock }: Ref): boolean {
    return clock < this.of(client)
  }

  add({ id, length }: Struct): void {
    this.news.set(id.client, id.clock + length)
  }
}

function checkRun(run: readonly Struct[], clocks: Clocks): void {
  const { client, clock } = (run[0] as Struct).id
  if (!Number.isSafeInteger(client) || !Number.isSafeInteger(clock))
    throw refusal(strings.edit.place(client, clock))
  const known = clocks.get(client) ?? 0
  if (clock > known) throw missing({ client, clock: clock - 1 }, known)
  for (const struct of run) {
    // Yjs writes neither; both confuse its own search.
    if (struct instanceof Y.Skip || struct.length === 0) throw refusal(strings.edit.hole(client))
    if (!(struct.id.clock + struct.length <= MAX_CLOCK)) throw refusal(strings.edit.highClock(MAX_CLOCK))
    if (struct instanceof Y.Item) checkNames(struct)
  }
}

interface Ref {
  readonly client: number
  readonly clock: number
}

/** Nearly always they stand in an order in which each has what it refers to. */
function settle(structs: readonly Struct[], reached: Reached): readonly Struct[] {
  for (const struct of structs) {
    if (lackingIn(struct, reached)) return settleAcross(runsOf(structs), reached)
    reached.add(struct)
  }
  return structs
}

/**
 * Goes through the structs as Yjs would: each behind all that it refers to. Where they refer to each other in a ring, or to what
 * is not there, Yjs would keep them waiting for good.
 */
function settleAcross(runs: ReadonlyMap<number, readonly Struct[]>, reached: Reached): readonly Struct[] {
  const settled: Struct[] = []
  const taken = new Map<number, number>()
  reached.news.clear()
  for (const client of runs.keys()) settleAll(client)
  return settled

  function settleAll(client: number): void {
    const open: Ref[] = [{ client, clock: Infinity }]
    const waiting = new Set([client])
    for (let wanted = open.at(-1); wanted; wanted = open.at(-1)) {
      const struct = runs.get(wanted.client)?.[taken.get(wanted.client) ?? 0]
      const done = reached.has(wanted) || (wanted.clock === Infinity && !struct)
      if (done) waiting.delete((open.pop() as Ref).client)
      else if (struct) take(struct, open, waiting)
      else throw missing(wanted, reached.of(wanted.client))
    }
  }

  function take(struct: Struct, open: Ref[], waiting: Set<number>): void {
    const lacking = lackingIn(struct, reached)
    if (!lacking) {
      const { client } = struct.id
      taken.set(client, (taken.get(client) ?? 0) + 1)
      settled.push(struct)
      return reached.add(struct)
    }
    // A ring within the update: no text that is on its way would resolve it.
    if (waiting.has(lacking.client)) throw refusal(builtOn(lacking, reached.of(lacking.client)))
    waiting.add(lacking.client)
    open.push(lacking)
  }
}

function lackingIn(struct: Struct, reached: Reached): Ref | null {
  if (!(struct instanceof Y.Item)) return null
  const { origin, rightOrigin, parent } = struct
  if (origin && !reached.has(origin)) return origin
  if (rightOrigin && !reached.has(rightOrigin)) return rightOrigin
  return parent instanceof Y.ID && !reached.has(parent) ? parent : null
}

/** Yjs writes ranges in order and apart; ranges laid over each other would cost their product. */
function checkDeletes({ clients }: DeleteSet, reached: Reached): void {
  for (const [client, ranges] of clients) {
    const known = reached.of(client)
    let before = 0
    for (const { clock, len } of ranges) {
      if (!(len > 0 && clock >= before)) throw refusal(strings.edit.deletionsDisordered(client))
      before = clock + len
      if (before > known) throw missing({ client, clock: before - 1 }, known)
    }
  }
}

/** It may be on its way: own windows hear each other at once, so what one builds on the other may not have brought yet (W2). */
const missing = (ref: Ref, known: number): RoomRefusal =>
  new RoomRefusal({ code: 'behind', detail: builtOn(ref, known) })

const builtOn = ({ client, clock }: Ref, known: number): string => strings.edit.builtOn(client, clock, known)

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
