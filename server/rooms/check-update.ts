/**
 * Looks at an edit before it touches a document: what Yjs would refuse, or would keep waiting for text that nobody has, is
 * refused here, and nothing of it is stored. Knows the V1 encoding; does not know who may write.
 */
import { createDecoder, readVarUint } from 'lib0/decoding'
import * as Y from 'yjs'
import { RoomRefusal } from './rooms.ts'

type Decoded = ReturnType<typeof Y.decodeUpdate>
type Struct = Decoded['structs'][number]

/** No text is that long; beyond 2⁵³ a clock would encode as bytes that nobody can read again. */
const MAX_CLOCK = 2 ** 32

interface Checked {
  /** What of it is new, as Yjs can take it in. */
  readonly update: Uint8Array
  /** The Yjs client ids whose structs it brings. */
  readonly clients: number[]
}

/**
 * @param update A copy in an ArrayBuffer of its own: Yjs's reader trusts lengths, and a lying one in a view on Node's pool
 * would read a stranger's bytes into the document.
 * @throws {RoomRefusal} `bad-update`, and `behind` where it only builds on text that is unknown here.
 */
export function checkUpdate(doc: Y.Doc, update: Uint8Array): Checked {
  const { structs, ds } = decode(update)
  const runs = Map.groupBy(structs, ({ id }) => id.client)
  checkHead(update, runs.size)
  const reached = new Reached(doc)
  for (const run of runs.values()) checkRun(run, reached)
  if ([...runs.values()].some(([first]) => isKnown(first as Struct, reached))) {
    // Who says known text in other words would have us and the others disagree on it.
    return checkUpdate(doc, Y.diffUpdate(update, Y.encodeStateVector(doc)))
  }
  settle(runs, reached)
  checkDeletes(ds, reached)
  return { update, clients: [...runs.keys()] }
}

const isKnown = ({ id }: Struct, reached: Reached): boolean => id.clock < reached.of(id.client)

/** A V2 update decodes as an empty V1 update with bytes left over, so what is left over counts. */
function decode(update: Uint8Array): Decoded {
  let bytesLeft = () => 0
  class Watched extends Y.UpdateDecoderV1 {
    constructor(decoder: ReturnType<typeof createDecoder>) {
      super(decoder)
      bytesLeft = () => decoder.arr.length - decoder.pos
    }
  }
  let decoded: Decoded
  try {
    decoded = Y.decodeUpdateV2(update, Watched)
  } catch (error) {
    throw refusal(`${update.length} bytes that are not a Yjs update (V1): ${String(error)}`)
  }
  const left = bytesLeft()
  if (left !== 0) throw refusal(`${left} bytes after the end of the update; only encoding V1 is spoken here`)
  return decoded
}

/** An update begins with the number of its runs. Of two runs of one client Yjs would forget the first. */
function checkHead(update: Uint8Array, clients: number): void {
  const runs = readVarUint(createDecoder(update))
  if (runs !== clients) throw refusal(`${runs} runs of structs from ${clients} clients`)
}

/** Per client, the clock behind its last struct known so far. */
class Reached {
  readonly #doc: Y.Doc
  readonly #clocks = new Map<number, number>()

  constructor(doc: Y.Doc) {
    this.#doc = doc
  }

  of(client: number): number {
    return this.#clocks.get(client) ?? Y.getState(this.#doc.store, client)
  }

  add({ id, length }: Struct): void {
    this.#clocks.set(id.client, Math.max(this.of(id.client), id.clock + length))
  }
}

function checkRun(run: readonly Struct[], reached: Reached): void {
  const { client, clock } = (run[0] as Struct).id
  const known = reached.of(client)
  if (clock > known) throw missing({ client, clock: clock - 1 }, known)
  for (const struct of run) {
    // Yjs writes neither; both confuse its own search.
    if (struct instanceof Y.Skip || struct.length === 0)
      throw refusal(`a hole in the structs of client ${client}`)
    if (struct.id.clock + struct.length > MAX_CLOCK) throw refusal(`a clock over ${MAX_CLOCK}`)
  }
}

interface Ref {
  readonly client: number
  readonly clock: number
}

/**
 * Goes through the structs as Yjs will: each behind all that it refers to. Where they refer to each other in a ring, or to what
 * is not there, Yjs would keep them waiting for good.
 */
function settle(runs: ReadonlyMap<number, readonly Struct[]>, reached: Reached): void {
  const taken = new Map<number, number>()
  for (const client of runs.keys()) settleAll(client)

  function settleAll(client: number): void {
    const open: Ref[] = [{ client, clock: Infinity }]
    const waiting = new Set([client])
    for (let wanted = open.at(-1); wanted; wanted = open.at(-1)) {
      const struct = runs.get(wanted.client)?.[taken.get(wanted.client) ?? 0]
      const done = reached.of(wanted.client) > wanted.clock || (wanted.clock === Infinity && !struct)
      if (done) waiting.delete((open.pop() as Ref).client)
      else if (struct) take(struct, open, waiting)
      else throw missing(wanted, reached.of(wanted.client))
    }
  }

  function take(struct: Struct, open: Ref[], waiting: Set<number>): void {
    const lacking = refsOf(struct).find(({ client, clock }) => reached.of(client) <= clock)
    if (!lacking) {
      const { client } = struct.id
      taken.set(client, (taken.get(client) ?? 0) + 1)
      return reached.add(struct)
    }
    // A ring within the update: no text that is on its way would resolve it.
    if (waiting.has(lacking.client)) throw refusal(builtOn(lacking, reached.of(lacking.client)))
    waiting.add(lacking.client)
    open.push(lacking)
  }
}

function refsOf(struct: Struct): Ref[] {
  if (!(struct instanceof Y.Item)) return []
  return [struct.origin, struct.rightOrigin, struct.parent].filter((ref) => ref instanceof Y.ID)
}

/** Yjs writes ranges in order and apart; ranges laid over each other would cost their product. */
function checkDeletes({ clients }: Decoded['ds'], reached: Reached): void {
  for (const [client, ranges] of clients) {
    const known = reached.of(client)
    let before = 0
    for (const { clock, len } of ranges) {
      if (len === 0 || clock < before) throw refusal(`disordered deletions of client ${client}`)
      before = clock + len
      if (before > known) throw missing({ client, clock: before - 1 }, known)
    }
  }
}

/** It may be on its way: own windows hear each other at once, so what one builds on the other may not have brought yet (W2). */
const missing = (ref: Ref, known: number): RoomRefusal =>
  new RoomRefusal({ code: 'behind', detail: builtOn(ref, known) })

const builtOn = ({ client, clock }: Ref, known: number): string =>
  `it builds on client ${client}, clock ${clock}, of which only ${known} are known`

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
