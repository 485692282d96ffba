/**
 * What the nodes that have a part of a document open send each other. Each message begins with a version and its sender: a node of another
 * release ignores what it cannot read, and what is lost that way comes from the log.
 */
import {
  createDecoder,
  createEncoder,
  type Decoder,
  type Encoder,
  readBytes,
  readFlag,
  readNumber,
  readString,
  toBytes,
  writeBytes,
  writeFlag,
  writeNumber,
  writeString,
} from '../../lib/protocol/wire.ts'

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
  | { readonly type: 'trace'; readonly from: number; readonly to: number; readonly bytes: Uint8Array }

const types = ['edits', 'head', 'compacted', 'presence', 'left', 'hello', 'present', 'trace'] as const

export function writeRoomMessage(node: string, message: RoomMessage): Uint8Array {
  const encoder = createEncoder()
  writeNumber(encoder, VERSION)
  writeString(encoder, node)
  writeNumber(encoder, types.indexOf(message.type))
  writeBody(encoder, message)
  return toBytes(encoder)
}

/** Null for a message of another version. @throws {ProtocolError} for bytes that are no message. */
export function readRoomMessage(bytes: Uint8Array): { node: string; message: RoomMessage } | null {
  const decoder = createDecoder(bytes)
  if (readNumber(decoder) !== VERSION) return null
  const node = readString(decoder)
  const type = types[readNumber(decoder)]
  return type ? { node, message: readBody(decoder, type) } : null
}

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
      return
    case 'present':
      return writeList(encoder, message.members, ({ member, update }) => {
        writeMember(encoder, member)
        writeBytes(encoder, update)
      })
    case 'trace':
      writeNumber(encoder, message.from)
      writeNumber(encoder, message.to)
      return writeBytes(encoder, message.bytes)
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
      return { type }
    case 'present':
      return {
        type,
        members: readList(decoder, () => ({
          member: readMember(decoder),
          update: copyBytes(decoder),
        })),
      }
    case 'trace':
      return { type, from: readNumber(decoder), to: readNumber(decoder), bytes: copyBytes(decoder) }
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

function writeList<Item>(encoder: Encoder, items: readonly Item[], write: (item: Item) => void): void {
  writeNumber(encoder, items.length)
  items.forEach(write)
}

function readList<Item>(decoder: Decoder, read: () => Item): Item[] {
  const items: Item[] = []
  for (let left = readNumber(decoder); left > 0; left--) items.push(read())
  return items
}
