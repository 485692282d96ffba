/** The messages of one document part within a session: attaching, edits up, changes down, and their three answers (S1, D1). */
import { refusalsStrings } from '../strings/refusals.ts'
import type { CloseReason } from './close.ts'
import { decodePackedUpdate } from './packed-update.ts'
import { readReason, writeReason } from './session-messages.ts'
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

/** A document's body and comments, or a person's desk, which belongs to no document (`document` is then ''). */
export type ChannelPart = 'body' | 'comments' | 'desk'
export type ChannelRole = 'viewer' | 'editor' | 'owner'
/** Why state vectors are exchanged: at first, after a lost session, or after a difference (D7, W2). The server counts these. */
export type AttachCause = 'opening' | 'session' | 'behind' | 'neighbour' | 'digest' | 'pending'

const parts: readonly ChannelPart[] = ['body', 'comments', 'desk']
const roles: readonly ChannelRole[] = ['viewer', 'editor', 'owner']
const causes: readonly AttachCause[] = ['opening', 'session', 'behind', 'neighbour', 'digest', 'pending']

/** A numbered message is repeated until the other side has it, and is accepted exactly once. */
interface NumberedMessage {
  readonly number: number
  /** The session's own short name for the document part, chosen by the client. */
  readonly channel: number
}

/** Client: opens a document part. The answer is `attached` or `detached`. */
export interface AttachMessage extends NumberedMessage {
  readonly type: 'attach'
  readonly document: string
  readonly part: ChannelPart
  /** A share link's token, '' for none. */
  readonly token: string
  readonly stateVector: Uint8Array
  /** The Yjs client id that the window writes under (A5). The server answers `taken` if it is somebody else's. */
  readonly client: number
  readonly cause: AttachCause
}

/** Server: what the client lacked, and what the server has, so that the client can send what the server lacks (S3). */
export interface AttachedMessage extends NumberedMessage {
  readonly type: 'attached'
  readonly role: ChannelRole
  /** Each update builds at most on those before it. */
  readonly updates: readonly Uint8Array[]
  readonly stateVector: Uint8Array
  /** The first update, packed (packed-update.ts), if the writer has it so. The reader finds it unpacked among the others. */
  readonly packed?: Uint8Array
}

export interface DetachMessage extends NumberedMessage {
  readonly type: 'detach'
}

export interface DetachedMessage extends NumberedMessage {
  readonly type: 'detached'
  readonly reason: CloseReason
}

/** Server: the principal's rights in this document changed, or somebody's, or the proposals to change it. */
export interface RoleMessage extends NumberedMessage {
  readonly type: 'role'
  readonly role: ChannelRole
}

/** Client: a Yjs update, encoding V1. */
export interface EditMessage extends NumberedMessage {
  readonly type: 'edit'
  readonly update: Uint8Array
}

export const CHANGE_KIND = 25

/** Server: remote edits in the order of their commits. */
export interface ChangeMessage extends NumberedMessage {
  readonly type: 'change'
  readonly updates: readonly Uint8Array[]
}

/** Server: everything of this channel up to `upTo` is committed and on disk (D1). */
export interface SavedMessage extends NumberedMessage {
  readonly type: 'saved'
  readonly upTo: number
}

/** Server: message `refused` will not be stored, and no longer counts. */
export interface RefusedMessage extends NumberedMessage {
  readonly type: 'refused'
  readonly refused: number
  readonly reason: CloseReason
}

function writeMessageHead(encoder: Encoder, { number, channel }: NumberedMessage): void {
  writeNumber(encoder, number)
  writeNumber(encoder, channel)
}

const readMessageHead = (decoder: Decoder): NumberedMessage => ({
  number: readNumber(decoder),
  channel: readNumber(decoder),
})

function readOneOf<Name extends string>(
  decoder: Decoder,
  names: readonly Name[],
  wordUnknown: (index: number, last: number) => string,
): Name {
  const index = readNumber(decoder)
  const name = names[index]
  if (name === undefined) throw new ProtocolError('bad-message', wordUnknown(index, names.length - 1))
  return name
}

export function writeAttach(encoder: Encoder, message: AttachMessage): void {
  writeMessageHead(encoder, message)
  writeString(encoder, message.document)
  writeNumber(encoder, parts.indexOf(message.part))
  writeString(encoder, message.token)
  writeBytes(encoder, message.stateVector)
  writeNumber(encoder, message.client)
  writeNumber(encoder, causes.indexOf(message.cause))
}

export const readAttach = (decoder: Decoder): AttachMessage => ({
  type: 'attach',
  ...readMessageHead(decoder),
  document: readString(decoder),
  part: readOneOf(decoder, parts, refusalsStrings.malformed.part),
  token: readString(decoder),
  stateVector: readBytes(decoder),
  client: readNumber(decoder),
  cause: readOneOf(decoder, causes, refusalsStrings.malformed.cause),
})

export function writeAttached(encoder: Encoder, message: AttachedMessage): void {
  writeMessageHead(encoder, message)
  writeNumber(encoder, roles.indexOf(message.role))
  writeBytes(encoder, message.stateVector)
  const { packed = NOT_PACKED, updates } = message
  writeBytes(encoder, packed)
  writeUpdates(encoder, packed === NOT_PACKED ? updates : updates.slice(1))
}

const NOT_PACKED = new Uint8Array(0)

export const readAttached = (decoder: Decoder): AttachedMessage => ({
  type: 'attached',
  ...readMessageHead(decoder),
  role: readOneOf(decoder, roles, refusalsStrings.malformed.role),
  stateVector: readBytes(decoder),
  updates: [...readPackedUpdate(decoder), ...readUpdates(decoder)],
})

function readPackedUpdate(decoder: Decoder): readonly Uint8Array[] {
  const bytes = readBytes(decoder)
  return bytes.length > 0 ? [decodePackedUpdate(bytes)] : []
}

export const writeDetach = (encoder: Encoder, message: DetachMessage): void =>
  writeMessageHead(encoder, message)
export const readDetach = (decoder: Decoder): DetachMessage => ({
  type: 'detach',
  ...readMessageHead(decoder),
})

export function writeDetached(encoder: Encoder, message: DetachedMessage): void {
  writeMessageHead(encoder, message)
  writeReason(encoder, message.reason)
}

export const readDetached = (decoder: Decoder): DetachedMessage => ({
  type: 'detached',
  ...readMessageHead(decoder),
  reason: readReason(decoder),
})

export function writeRole(encoder: Encoder, message: RoleMessage): void {
  writeMessageHead(encoder, message)
  writeNumber(encoder, roles.indexOf(message.role))
}

export const readRole = (decoder: Decoder): RoleMessage => ({
  type: 'role',
  ...readMessageHead(decoder),
  role: readOneOf(decoder, roles, refusalsStrings.malformed.role),
})

export function writeEdit(encoder: Encoder, message: EditMessage): void {
  writeMessageHead(encoder, message)
  writeBytes(encoder, message.update)
}

export const readEdit = (decoder: Decoder): EditMessage => ({
  type: 'edit',
  ...readMessageHead(decoder),
  update: readBytes(decoder),
})

export function writeChange(encoder: Encoder, message: ChangeMessage): void {
  writeMessageHead(encoder, message)
  writeUpdates(encoder, message.updates)
}

export const readChange = (decoder: Decoder): ChangeMessage => ({
  type: 'change',
  ...readMessageHead(decoder),
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

export function writeSaved(encoder: Encoder, message: SavedMessage): void {
  writeMessageHead(encoder, message)
  writeNumber(encoder, message.upTo)
}

export const readSaved = (decoder: Decoder): SavedMessage => ({
  type: 'saved',
  ...readMessageHead(decoder),
  upTo: readNumber(decoder),
})

export function writeRefused(encoder: Encoder, message: RefusedMessage): void {
  writeMessageHead(encoder, message)
  writeNumber(encoder, message.refused)
  writeReason(encoder, message.reason)
}

export const readRefused = (decoder: Decoder): RefusedMessage => ({
  type: 'refused',
  ...readMessageHead(decoder),
  refused: readNumber(decoder),
  reason: readReason(decoder),
})
