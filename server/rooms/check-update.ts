/**
 * Looks at an edit before it touches a document: what Yjs would refuse, or would keep waiting for text that nobody has, is
 * refused here, and nothing of it is stored. Knows the V1 encoding; does not know who may write.
 */
import { createDecoder } from 'lib0/decoding'
import * as Y from 'yjs'
import { RoomRefusal } from './rooms.ts'

type Struct = ReturnType<typeof Y.decodeUpdate>['structs'][number]
type Decoded = ReturnType<typeof Y.decodeUpdate>

/**
 * @param update A copy in an ArrayBuffer of its own: Yjs's reader trusts lengths, and a lying one in a view on Node's pool
 * would read a stranger's bytes into the document.
 * @returns The Yjs client ids whose structs it brings.
 * @throws {RoomRefusal} `bad-update`.
 */
export function checkUpdate(doc: Y.Doc, update: Uint8Array): number[] {
  const decoded = decode(update)
  const ends = collectEnds(doc, decoded.structs)
  for (const struct of decoded.structs) if (struct instanceof Y.Item) checkItem(struct, doc, ends)
  checkDeletes(decoded.ds, doc, ends)
  return [...ends.keys()]
}

/** A V2 update decodes as an empty V1 update with bytes left over, so what is left over counts. */
function decode(update: Uint8Array): Decoded {
  let left = 0
  class Watched extends Y.UpdateDecoderV1 {
    constructor(decoder: ReturnType<typeof createDecoder>) {
      super(decoder)
      bytesLeft = () => decoder.arr.length - decoder.pos
    }
  }
  let bytesLeft = () => 0
  let decoded: Decoded
  try {
    decoded = Y.decodeUpdateV2(update, Watched)
    left = bytesLeft()
  } catch (error) {
    throw refusal(`${update.length} bytes that are not a Yjs update (V1): ${String(error)}`)
  }
  if (left !== 0) throw refusal(`${left} bytes after the end of the update; only encoding V1 is spoken here`)
  return decoded
}

/** Per client the clock after its last struct, stored or brought along. */
function collectEnds(doc: Y.Doc, structs: readonly Struct[]): Map<number, number> {
  const ends = new Map<number, number>()
  for (const struct of structs) {
    const { client, clock } = struct.id
    const end = ends.get(client) ?? Y.getState(doc.store, client)
    if (struct instanceof Y.Skip || clock > end) throw missing(client, clock, end)
    ends.set(client, Math.max(end, clock + struct.length))
  }
  return ends
}

const endOf = (doc: Y.Doc, ends: Map<number, number>, client: number): number =>
  ends.get(client) ?? Y.getState(doc.store, client)

function checkItem({ origin, rightOrigin, parent }: Y.Item, doc: Y.Doc, ends: Map<number, number>): void {
  for (const id of [origin, rightOrigin, parent]) {
    if (!(id instanceof Y.ID)) continue
    const end = endOf(doc, ends, id.client)
    if (id.clock >= end) throw missing(id.client, id.clock, end)
  }
}

function checkDeletes({ clients }: Decoded['ds'], doc: Y.Doc, ends: Map<number, number>): void {
  for (const [client, ranges] of clients) {
    const end = endOf(doc, ends, client)
    for (const { clock, len } of ranges) if (clock + len > end) throw missing(client, clock + len, end)
  }
}

const missing = (client: number, clock: number, end: number): RoomRefusal =>
  refusal(`it builds on client ${client}, clock ${clock}, of which only ${end} are known`)

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
