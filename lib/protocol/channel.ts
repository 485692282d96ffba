/** One document part inside a session: attaching, edits up, changes down, and their three answers (S1, D1). */
import { strings } from '../strings/refusals.ts'
import type { CloseReason } from './close.ts'
import { unpacked } from './packed.ts'
import { readReason, writeReason } from './session.ts'
import type { Bytes, Decoder, Encoder } from './wire.ts'
import {
  ProtocolError,
  readBytes,
  readNumber,
  readString,
  writeBytes,
  writeNumber,
  writeString,
} from './wire.ts'

/** A document's body and its comments; and a person's desk, which belongs to no document (`document` is then ''). */
export type ChannelPart = 'body' | 'comments' | 'desk'
export type ChannelRole = 'viewer' | 'editor' | 'owner'
/** Why state vectors are exchanged: at first, after a lost session, or to heal something (D7, W2). For the server's counting. */
export type AttachCause = 'opening' | 'session' | 'behind' | 'neighbour' | 'digest' | 'pending'

const parts: readonly ChannelPart[] = ['body', 'comments', 'desk']
const roles: readonly ChannelRole[] = ['viewer', 'editor', 'owner']
const causes: readonly AttachCause[] = ['opening', 'session', 'behind', 'neighbour', 'digest', 'pending']

/** What carries a number is repeated until the other side has it, and taken exactly once. */
interface Numbered {
  readonly number: number
  /** The session's own short name for the document part, chosen by the client. */
  readonly channel: number
}

/** Client: asks for a document. The answer is `attached` or `detached`. */
export interface Attach extends Numbered {
  readonly type: 'attach'
  readonly document: string
  readonly part: ChannelPart
  /** A link's token, '' for none. */
  readonly token: string
  readonly stateVector: Uint8Array
  /** The Yjs client id that the window writes under (A5). The server answers `taken` where it is somebody else's. */
  readonly client: number
  readonly cause: AttachCause
}

/** Server: what the client lacked, and what the server has, so that the client can send what the server lacks (S3). */
export interface Attached extends Numbered {
  readonly type: 'attached'
  readonly role: ChannelRole
  /** Each builds at most on those before it. */
  readonly updates: readonly Uint8Array[]
  readonly stateVector: Uint8Array
  /** The first of them, as it travels (packed.ts): for whoever writes it. Who reads it finds it unpacked among the others. */
  readonly packed?: Uint8Array
}

export interface Detach extends Numbered {
  readonly type: 'detach'
}

export interface Detached extends Numbered {
  readonly type: 'detached'
  readonly reason: CloseReason
}

/** Server: the principal's rights in this document changed. */
export interface RoleChanged extends Numbered {
  readonly type: 'role'
  readonly role: ChannelRole
}

/** Client: a Yjs update, encoding V1. */
export interface EditMessage extends Numbered {
  readonly type: 'edit'
  readonly update: Uint8Array
}

export const CHANGE_KIND = 25

/** Server: edits of others in the order of their commits, after these. */
export interface Change extends Numbered {
  readonly type: 'change'
  readonly updates: readonly Uint8Array[]
}

/** Server: everything of this channel up to `upTo` is committed and on disk (D1). */
export interface Saved extends Numbered {
  readonly type: 'saved'
  readonly upTo: number
}

/** Server: message `refused` was taken off the line and will not be stored. */
export interface Refused extends Numbered {
  readonly type: 'refused'
  readonly refused: number
  readonly reason: CloseReason
}

function writeHead(encoder: Encoder, { number, channel }: Numbered): void {
  writeNumber(encoder, number)
  writeNumber(encoder, channel)
}

const readHead = (decoder: Decoder): Numbered => ({
  number: readNumber(decoder),
  channel: readNumber(decoder),
})

function readOneOf<Name extends string>(
  decoder: Decoder,
  names: readonly Name[],
  unknown: (index: number, last: number) => string,
): Name {
  const index = readNumber(decoder)
  const name = names[index]
  if (name === undefined) throw new ProtocolError('bad-message', unknown(index, names.length - 1))
  return name
}

export function writeAttach(encoder: Encoder, message: Attach): void {
  writeHead(encoder, message)
  writeString(encoder, message.document)
  writeNumber(encoder, parts.indexOf(message.part))
  writeString(encoder, message.token)
  writeBytes(encoder, message.stateVector)
  writeNumber(encoder, message.client)
  writeNumber(encoder, causes.indexOf(message.cause))
}

export const readAttach = (decoder: Decoder): Attach => ({
  type: 'attach',
  ...readHead(decoder),
  document: readString(decoder),
  part: readOneOf(decoder, parts, strings.malformed.part),
  token: readString(decoder),
  stateVector: readBytes(decoder),
  client: readNumber(decoder),
  cause: readOneOf(decoder, causes, strings.malformed.cause),
})

export function writeAttached(encoder: Encoder, message: Attached): void {
  writeHead(encoder, message)
  writeNumber(encoder, roles.indexOf(message.role))
  writeBytes(encoder, message.stateVector)
  const { packed = UNPACKED, updates } = message
  writeBytes(encoder, packed)
  writeUpdates(encoder, packed === UNPACKED ? updates : updates.slice(1))
}

const UNPACKED = new Uint8Array(0)

export const readAttached = (decoder: Decoder): Attached => ({
  type: 'attached',
  ...readHead(decoder),
  role: readOneOf(decoder, roles, strings.malformed.role),
  stateVector: readBytes(decoder),
  updates: [...readPacked(decoder), ...readUpdates(decoder)],
})

function readPacked(decoder: Decoder): readonly Uint8Array[] {
  const bytes = readBytes(decoder)
  return bytes.length > 0 ? [unpacked(bytes)] : []
}

export const writeDetach = (encoder: Encoder, message: Detach): void => writeHead(encoder, message)
export const readDetach = (decoder: Decoder): Detach => ({ type: 'detach', ...readHead(decoder) })

export function writeDetached(encoder: Encoder, message: Detached): void {
  writeHead(encoder, message)
  writeReason(encoder, message.reason)
}

export const readDetached = (decoder: Decoder): Detached => ({
  type: 'detached',
  ...readHead(decoder),
  reason: readReason(decoder),
})

export function writeRole(encoder: Encoder, message: RoleChanged): void {
  writeHead(encoder, message)
  writeNumber(encoder, roles.indexOf(message.role))
}

export const readRole = (decoder: Decoder): RoleChanged => ({
  type: 'role',
  ...readHead(decoder),
  role: readOneOf(decoder, roles, strings.malformed.role),
})

export function writeEdit(encoder: Encoder, message: EditMessage): void {
  writeHead(encoder, message)
  writeBytes(encoder, message.update)
}

export const readEdit = (decoder: Decoder): EditMessage => ({
  type: 'edit',
  ...readHead(decoder),
  update: readBytes(decoder),
})

export function writeChange(encoder: Encoder, message: Change): void {
  writeHead(encoder, message)
  writeUpdates(encoder, message.updates)
}

export const readChange = (decoder: Decoder): Change => ({
  type: 'change',
  ...readHead(decoder),
  updates: readUpdates(decoder),
})

function writeUpdates(encoder: Encoder, updates: readonly Uint8Array[]): void {
  writeNumber(encoder, updates.length)
  for (const update of updates) writeBytes(encoder, update)
}

function readUpdates(decoder: Decoder): Bytes[] {
  const updates: Bytes[] = []
  for (let left = readNumber(decoder); left > 0; left--) updates.push(readBytes(decoder))
  return updates
}

export function writeSaved(encoder: Encoder, message: Saved): void {
  writeHead(encoder, message)
  writeNumber(encoder, message.upTo)
}

export const readSaved = (decoder: Decoder): Saved => ({
  type: 'saved',
  ...readHead(decoder),
  upTo: readNumber(decoder),
})

export function writeRefused(encoder: Encoder, message: Refused): void {
  writeHead(encoder, message)
  writeNumber(encoder, message.refused)
  writeReason(encoder, message.reason)
}

export const readRefused = (decoder: Decoder): Refused => ({
  type: 'refused',
  ...readHead(decoder),
  refused: readNumber(decoder),
  reason: readReason(decoder),
})
