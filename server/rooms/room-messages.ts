/**
 * What the nodes that have a part of a document open send each other. Each message begins with a version and its sender: a node of another
 * release ignores what it cannot read, and what is lost that way comes from the log.
 */
import {
  type Decoder,
  type Encoder,
  readBytes,
  readFlag,
  readNumber,
  readString,
  writeBytes,
  writeFlag,
  writeNumber,
  writeString,
} from '../../lib/protocol/wire.ts'
import { readVersionedMessage, writeVersionedMessage } from '../fanout/versioned-message.ts'

const VERSION = 1

/** A member of the sending node. */
export interface SentMember {
  /** Unique on its node, while that has the part open. */
  readonly key: number
  /** `Principal.id`. */
  readonly principal: string
  /** It has only a share link's token, which makes many people one principal. */
  readonly isByLink: boolean
  readonly isStock: boolean
}

/** A member of a room on another node. */
export interface RemoteMember extends SentMember {
  readonly node: string
}

/** A client id that a window of the sending node has announced (A5). */
export interface ClientReservation {
  readonly client: number
  readonly principal: string
  /** Set if its window has only a share link's token: which of the principal's windows it is. */
  readonly window?: string | undefined
  /** The window has text under this id that the log lacks. */
  readonly hasMore: boolean
}

export interface ReservationsMessage {
  readonly type: 'reservations'
  /** Higher than that of every earlier message of its node. */
  readonly version: number
  /** What is not in this message, or in another of this version, is reserved no longer. */
  readonly isWhole: boolean
  readonly reserved: readonly ClientReservation[]
  readonly released: readonly number[]
}

export type RoomMessage =
  | {
      readonly type: 'edits'
      /** The sequence number of the first; the others follow it. */
      readonly first: number
      readonly updates: readonly Uint8Array[]
      readonly owners: ReadonlyMap<number, string>
      /** By the sender's clock, in ms since 1970: for a metric alone. */
      readonly sentAt: number
    }
  /** The log has entries up to this one. */
  | { readonly type: 'head'; readonly sequence: number }
  /** A snapshot replaced the log up to this entry. */
  | { readonly type: 'compacted'; readonly sequence: number }
  | { readonly type: 'presence'; readonly member: SentMember; readonly update: Uint8Array }
  | { readonly type: 'left'; readonly key: number }
  /** Asks every node for its members' presence. */
  | { readonly type: 'hello' }
  /** All members of the sender that show something. */
  | { readonly type: 'present'; readonly members: readonly { member: SentMember; update: Uint8Array }[] }
  /** The keys of these members, whose presence was sent before where a whole list would be too long. */
  | { readonly type: 'present keys'; readonly keys: readonly number[] }
  | { readonly type: 'trace'; readonly from: number; readonly to: number; readonly bytes: Uint8Array }
  /** Asks every node for the client ids that its windows have announced. */
  | { readonly type: 'reservations asked' }
  | ReservationsMessage

const types = [
  'edits',
  'head',
  'compacted',
  'presence',
  'left',
  'hello',
  'present',
  'trace',
  'reservations asked',
  'reservations',
  'present keys',
] as const

export const writeRoomMessage = (node: string, message: RoomMessage): Uint8Array =>
  writeVersionedMessage(VERSION, (encoder) => {
    writeString(encoder, node)
    writeNumber(encoder, types.indexOf(message.type))
    writeBody(encoder, message)
  })

/** Null for a message of another version, or of a type that this one does not know. @throws {ProtocolError} for bytes that are no message. */
export const readRoomMessage = (bytes: Uint8Array): { node: string; message: RoomMessage } | null =>
  readVersionedMessage(VERSION, bytes, (decoder) => {
    const node = readString(decoder)
    const type = types[readNumber(decoder)]
    return type ? { node, message: readBody(decoder, type) } : null
  })

function writeBody(encoder: Encoder, message: RoomMessage): void {
  switch (message.type) {
    case 'edits':
      writeNumber(encoder, message.sentAt)
      writeNumber(encoder, message.first)
      writeList(encoder, message.updates, (update) => writeBytes(encoder, update))
      return writeList(encoder, [...message.owners], ([client, principal]) => {
        writeNumber(encoder, client)
        writeString(encoder, principal)
      })
    case 'head':
    case 'compacted':
      return writeNumber(encoder, message.sequence)
    case 'presence':
      writeMember(encoder, message.member)
      return writeBytes(encoder, message.update)
    case 'left':
      return writeNumber(encoder, message.key)
    case 'hello':
    case 'reservations asked':
      return
    case 'present':
      return writeList(encoder, message.members, ({ member, update }) => {
        writeMember(encoder, member)
        writeBytes(encoder, update)
      })
    case 'present keys':
      return writeList(encoder, message.keys, (key) => writeNumber(encoder, key))
    case 'trace':
      writeNumber(encoder, message.from)
      writeNumber(encoder, message.to)
      return writeBytes(encoder, message.bytes)
    case 'reservations':
      writeNumber(encoder, message.version)
      writeFlag(encoder, message.isWhole)
      writeList(encoder, message.reserved, (reservation) => writeReservation(encoder, reservation))
      return writeList(encoder, message.released, (client) => writeNumber(encoder, client))
  }
}

function readBody(decoder: Decoder, type: RoomMessage['type']): RoomMessage {
  switch (type) {
    case 'edits':
      return {
        type,
        sentAt: readNumber(decoder),
        first: readNumber(decoder),
        updates: readList(decoder, () => copyBytes(decoder)),
        owners: new Map(readList(decoder, () => [readNumber(decoder), readString(decoder)])),
      }
    case 'head':
    case 'compacted':
      return { type, sequence: readNumber(decoder) }
    case 'presence':
      return { type, member: readMember(decoder), update: copyBytes(decoder) }
    case 'left':
      return { type, key: readNumber(decoder) }
    case 'hello':
    case 'reservations asked':
      return { type }
    case 'present':
      return {
        type,
        members: readList(decoder, () => ({
          member: readMember(decoder),
          update: copyBytes(decoder),
        })),
      }
    case 'present keys':
      return { type, keys: readList(decoder, () => readNumber(decoder)) }
    case 'trace':
      return { type, from: readNumber(decoder), to: readNumber(decoder), bytes: copyBytes(decoder) }
    case 'reservations':
      return {
        type,
        version: readNumber(decoder),
        isWhole: readFlag(decoder),
        reserved: readList(decoder, () => readReservation(decoder)),
        released: readList(decoder, () => readNumber(decoder)),
      }
  }
}

/** What is read outlives the message; `slice` of a Buffer would be a view of it. */
const copyBytes = (decoder: Decoder): Uint8Array => new Uint8Array(readBytes(decoder))

function writeMember(encoder: Encoder, { key, principal, isByLink, isStock }: SentMember): void {
  writeNumber(encoder, key)
  writeString(encoder, principal)
  writeFlag(encoder, isByLink)
  writeFlag(encoder, isStock)
}

const readMember = (decoder: Decoder): SentMember => ({
  key: readNumber(decoder),
  principal: readString(decoder),
  isByLink: readFlag(decoder),
  isStock: readFlag(decoder),
})

function writeReservation(encoder: Encoder, { client, principal, window, hasMore }: ClientReservation): void {
  writeNumber(encoder, client)
  writeString(encoder, principal)
  writeString(encoder, window ?? '')
  writeFlag(encoder, hasMore)
}

const readReservation = (decoder: Decoder): ClientReservation => ({
  client: readNumber(decoder),
  principal: readString(decoder),
  window: readString(decoder) || undefined,
  hasMore: readFlag(decoder),
})

function writeList<Item>(encoder: Encoder, items: readonly Item[], write: (item: Item) => void): void {
  writeNumber(encoder, items.length)
  items.forEach(write)
}

function readList<Item>(decoder: Decoder, read: () => Item): Item[] {
  const items: Item[] = []
  for (let left = readNumber(decoder); left > 0; left--) items.push(read())
  return items
}
