/** Every message of a session, its number on the wire, and which side may send it. */
import { refusalsStrings } from '../strings/refusals.ts'
import * as channel from './channel-messages.ts'
import * as digest from './digest-messages.ts'
import { MAX_FRAME_BYTES, MAX_MESSAGES } from './limits.ts'
import * as presence from './presence-messages.ts'
import * as request from './request-messages.ts'
import * as session from './session-messages.ts'
import * as store from './store-state-message.ts'
import * as trace from './trace-messages.ts'
import type { Bytes, Decoder, Encoder } from './wire.ts'
import { createDecoder, encodeWith, hasMoreBytes, ProtocolError, readNumber, writeNumber } from './wire.ts'

export type ClientMessage =
  | session.HelloMessage
  | session.TakeoverMessage
  | session.ByeMessage
  | session.ReceivedMessage
  | session.GapMessage
  | session.PingMessage
  | session.PongMessage
  | channel.AttachMessage
  | channel.DetachMessage
  | channel.EditMessage
  | digest.DigestMessage
  | request.RequestMessage
  | presence.PresenceMessage
  | presence.CaretMessage
  | trace.TraceMessage
  | trace.ClockRequestMessage

export type ServerMessage =
  | session.WelcomeMessage
  | session.DrainedMessage
  | session.ReceivedMessage
  | session.GapMessage
  | session.PingMessage
  | session.PongMessage
  | channel.AttachedMessage
  | channel.DetachedMessage
  | channel.RoleMessage
  | channel.ChangeMessage
  | channel.SavedMessage
  | channel.RefusedMessage
  | digest.ComparedMessage
  | store.StoreStateMessage
  | request.ResponseMessage
  | presence.PresenceMessage
  | trace.TraceMessage
  | trace.ClockResponseMessage

export type Message = ClientMessage | ServerMessage

interface MessageCodec<M extends Message> {
  /** The number on the wire. A new kind is listed in docs/PROTOCOL.md and raises PROTOCOL_VERSION. */
  readonly kind: number
  write(encoder: Encoder, message: M): void
  read(decoder: Decoder): M
}

type MessageCodecs<M extends Message> = { readonly [T in M['type']]: MessageCodec<Extract<M, { type: T }>> }

const writeNothing = (): void => {}

const sharedCodecs = {
  received: { kind: 5, write: session.writeReceived, read: session.readReceived },
  gap: { kind: 6, write: session.writeGap, read: session.readGap },
  ping: { kind: 7, write: session.writePing, read: session.readPing },
  pong: { kind: 8, write: session.writePong, read: session.readPong },
  presence: { kind: 30, write: presence.writePresence, read: presence.readPresence },
  trace: { kind: 34, write: trace.writeTrace, read: trace.readTrace },
}

const clientCodecs: MessageCodecs<ClientMessage> = {
  hello: { kind: 1, write: session.writeHello, read: session.readHello },
  take: { kind: 3, write: session.writeTakeover, read: session.readTakeover },
  bye: { kind: 9, write: writeNothing, read: () => ({ type: 'bye' }) },
  attach: { kind: 20, write: channel.writeAttach, read: channel.readAttach },
  detach: { kind: 22, write: channel.writeDetach, read: channel.readDetach },
  edit: { kind: 24, write: channel.writeEdit, read: channel.readEdit },
  digest: { kind: 31, write: digest.writeDigest, read: digest.readDigest },
  clock: { kind: 35, write: trace.writeClockRequest, read: trace.readClockRequest },
  request: { kind: 36, write: request.writeRequest, read: request.readRequest },
  caret: { kind: 38, write: presence.writeCaret, read: presence.readCaret },
  ...sharedCodecs,
}

const serverCodecs: MessageCodecs<ServerMessage> = {
  welcome: { kind: 2, write: session.writeWelcome, read: session.readWelcome },
  drained: { kind: 4, write: writeNothing, read: () => ({ type: 'drained' }) },
  attached: { kind: 21, write: channel.writeAttached, read: channel.readAttached },
  detached: { kind: 23, write: channel.writeDetached, read: channel.readDetached },
  change: { kind: channel.CHANGE_KIND, write: channel.writeChange, read: channel.readChange },
  saved: { kind: 26, write: channel.writeSaved, read: channel.readSaved },
  refused: { kind: 27, write: channel.writeRefused, read: channel.readRefused },
  role: { kind: 28, write: channel.writeRole, read: channel.readRole },
  compared: { kind: 32, write: digest.writeCompared, read: digest.readCompared },
  store: { kind: 33, write: store.writeStoreState, read: store.readStoreState },
  clock: { kind: 35, write: trace.writeClockResponse, read: trace.readClockResponse },
  response: { kind: 37, write: request.writeResponse, read: request.readResponse },
  ...sharedCodecs,
}

type AnyMessageCodec = MessageCodec<Message>

function createCodec<M extends Message>(codecs: MessageCodecs<M>) {
  const byType = codecs as unknown as Record<string, AnyMessageCodec>
  const byKind = new Map(Object.values(byType).map((codec) => [codec.kind, codec]))
  return {
    write(encoder: Encoder, message: M): void {
      const codec = byType[message.type] as AnyMessageCodec
      writeNumber(encoder, codec.kind)
      codec.write(encoder, message)
    },
    /** @throws {ProtocolError} for anything but a whole number of known messages. */
    read(bytes: Uint8Array): M[] {
      try {
        return readAll(createDecoder(bytes), bytes.length) as M[]
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        throw new ProtocolError('bad-frame', refusalsStrings.malformed.undecodable(bytes.length), error)
      }
    },
  }

  /** Only one message comes in pieces: many that are joined would be handled in one turn. */
  function readAll(decoder: Decoder, bytes: number): Message[] {
    const messages: Message[] = []
    while (hasMoreBytes(decoder)) {
      const kind = readNumber(decoder)
      const codec = byKind.get(kind)
      if (!codec) throw new ProtocolError('bad-frame', refusalsStrings.malformed.kind(kind))
      if (messages.length === MAX_MESSAGES)
        throw new ProtocolError('bad-message', refusalsStrings.malformed.manyMessages(MAX_MESSAGES))
      if (messages.length > 0 && bytes > MAX_FRAME_BYTES)
        throw new ProtocolError('bad-message', refusalsStrings.malformed.longMessages(MAX_FRAME_BYTES))
      messages.push(codec.read(decoder))
    }
    return messages
  }
}

const clientCodec = createCodec(clientCodecs)
const serverCodec = createCodec(serverCodecs)

export const writeClientMessage = clientCodec.write
export const readClientMessages = clientCodec.read
export const writeServerMessage = serverCodec.write
export const readServerMessages = serverCodec.read

export const encodeClientMessage = (message: ClientMessage): Bytes =>
  encodeWith((encoder) => writeClientMessage(encoder, message))

export const encodeServerMessage = (message: ServerMessage): Bytes =>
  encodeWith((encoder) => writeServerMessage(encoder, message))
