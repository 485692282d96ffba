/**
 * The state vector of a member, decoded once, at the door of its room; from there on it is passed on as clocks. The number of entries
 * is checked before any of them is read. Knows the encoding; does not know members.
 */
import { hasContent } from 'lib0/decoding'
import * as Y from 'yjs'
import { MAX_UNKNOWN_CLIENTS } from '../../lib/protocol/limits.ts'
import { createDecoder, readNumber } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Clocks } from './clocks.ts'
import { RoomRefusal } from './rooms.ts'

/** @param known The clocks of the document. @throws {RoomRefusal} `bad-message` */
export function readStateVector(bytes: Uint8Array, known: Clocks): Clocks {
  const decoder = createDecoder(bytes)
  const entries = readNumberOf(decoder)
  const limit = known.size + MAX_UNKNOWN_CLIENTS
  if (entries > limit) throw refusal(serverRefusalsStrings.room.longStateVector(entries, limit))
  const clocks = new Map<number, number>()
  for (let left = entries; left > 0; left--) clocks.set(readNumberOf(decoder), readNumberOf(decoder))
  if (hasContent(decoder)) throw refusal(serverRefusalsStrings.room.noStateVector)
  return clocks
}

/** True if somebody with these clocks has text that is not known. */
export function isAhead(memberClocks: Clocks, known: Clocks): boolean {
  for (const [client, clock] of memberClocks) if (clock > (known.get(client) ?? 0)) return true
  return false
}

/** Encodes the entries of clients that the document has: no other entry changes what is missing. */
export const encodeKnownClocks = (memberClocks: Clocks, known: Clocks): Uint8Array =>
  Y.encodeStateVector(new Map([...memberClocks].filter(([client]) => known.has(client))))

function readNumberOf(decoder: Parameters<typeof readNumber>[0]): number {
  try {
    return readNumber(decoder)
  } catch {
    throw refusal(serverRefusalsStrings.room.noStateVector)
  }
}

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-message', detail })
