/** Every message of the conversation, its number on the wire, and who may say it. */
import { strings } from '../strings/refusals.ts'
import * as ask from './ask.ts'
import * as channel from './channel.ts'
import * as health from './health.ts'
import { MAX_MESSAGES } from './limits.ts'
import * as presence from './presence.ts'
import * as session from './session.ts'
import * as trace from './trace.ts'
import type { Bytes, Decoder, Encoder } from './wire.ts'
import { createDecoder, encoded, hasMore, ProtocolError, readNumber, writeNumber } from './wire.ts'

export type ClientMessage =
  | session.Hello
  | session.Take
  | session.Bye
  | session.Received
  | session.Gap
  | session.Ping
  | session.Pong
  | channel.Attach
  | channel.Detach
  | channel.EditMessage
  | health.Digest
  | ask.Ask
  | presence.Presence
  | presence.Caret
  | trace.Trace
  | trace.ClockAsked

export type ServerMessage =
  | session.Welcome
  | session.Drained
  | session.Received
  | session.Gap
  | session.Ping
  | session.Pong
  | channel.Attached
  | channel.Detached
  | channel.RoleChanged
  | channel.Change
  | channel.Saved
  | channel.Refused
  | health.Compared
  | health.StoreState
  | ask.Answer
  | presence.Presence
  | trace.Trace
  | trace.ClockTold

export type Message = ClientMessage | ServerMessage

interface Codec<M extends Message> {
  readonly kind: number
  write(encoder: Encoder, message: M): void
  read(decoder: Decoder): M
}

type Codecs<M extends Message> = { readonly [T in M['type']]: Codec<Extract<M, { type: T }>> }

const nothing = (): void => {}

const both = {
  received: { kind: 5, write: session.writeReceived, read: session.readReceived },
  gap: { kind: 6, write: session.writeGap, read: session.readGap },
  ping: { kind: 7, write: session.writePing, read: session.readPing },
  pong: { kind: 8, write: session.writePong, read: session.readPong },
  presence: { kind: 30, write: presence.writePresence, read: presence.readPresence },
  trace: { kind: 34, write: trace.writeTrace, read: trace.readTrace },
}

const clientCodecs: Codecs<ClientMessage> = {
  hello: { kind: 1, write: session.writeHello, read: session.readHello },
  take: { kind: 3, write: session.writeTake, read: session.readTake },
  bye: { kind: 9, write: nothing, read: () => ({ type: 'bye' }) },
  attach: { kind: 20, write: channel.writeAttach, read: channel.readAttach },
  detach: { kind: 22, write: channel.writeDetach, read: channel.readDetach },
  edit: { kind: 24, write: channel.writeEdit, read: channel.readEdit },
  digest: { kind: 31, write: health.writeDigest, read: health.readDigest },
  caret: { kind: 38, write: presence.writeCaret, read: presence.readCaret },
  ask: { kind: 36, write: ask.writeAsk, read: ask.readAsk },
  clock: { kind: 35, write: trace.writeClockAsked, read: trace.readClockAsked },
  ...both,
}

const serverCodecs: Codecs<ServerMessage> = {
  welcome: { kind: 2, write: session.writeWelcome, read: session.readWelcome },
  drained: { kind: 4, write: nothing, read: () => ({ type: 'drained' }) },
  attached: { kind: 21, write: channel.writeAttached, read: channel.readAttached },
  detached: { kind: 23, write: channel.writeDetached, read: channel.readDetached },
  change: { kind: channel.CHANGE_KIND, write: channel.writeChange, read: channel.readChange },
  saved: { kind: 26, write: channel.writeSaved, read: channel.readSaved },
  refused: { kind: 27, write: channel.writeRefused, read: channel.readRefused },
  role: { kind: 28, write: channel.writeRole, read: channel.readRole },
  compared: { kind: 32, write: health.writeCompared, read: health.readCompared },
  store: { kind: 33, write: health.writeStoreState, read: health.readStoreState },
  answer: { kind: 37, write: ask.writeAnswer, read: ask.readAnswer },
  clock: { kind: 35, write: trace.writeClockTold, read: trace.readClockTold },
  ...both,
}

type AnyCodec = Codec<Message>

function codecBook<M extends Message>(codecs: Codecs<M>) {
  const byType = codecs as unknown as Record<string, AnyCodec>
  const byKind = new Map(Object.values(byType).map((codec) => [codec.kind, codec]))
  return {
    write(encoder: Encoder, message: M): void {
      const codec = byType[message.type] as AnyCodec
      writeNumber(encoder, codec.kind)
      codec.write(encoder, message)
    },
    /** @throws {ProtocolError} for anything but a whole number of known messages. */
    read(bytes: Uint8Array): M[] {
      try {
        return readAll(createDecoder(bytes)) as M[]
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        throw new ProtocolError('bad-frame', strings.malformed.undecodable(bytes.length), error)
      }
    },
  }

  function readAll(decoder: Decoder): Message[] {
    const messages: Message[] = []
    while (hasMore(decoder)) {
      const kind = readNumber(decoder)
      const codec = byKind.get(kind)
      if (!codec) throw new ProtocolError('bad-frame', strings.malformed.kind(kind))
      if (messages.length === MAX_MESSAGES)
        throw new ProtocolError('bad-message', strings.malformed.manyMessages(MAX_MESSAGES))
      messages.push(codec.read(decoder))
    }
    return messages
  }
}

const clientBook = codecBook(clientCodecs)
const serverBook = codecBook(serverCodecs)

export const writeClientMessage = clientBook.write
export const readClientMessages = clientBook.read
export const writeServerMessage = serverBook.write
export const readServerMessages = serverBook.read

export const encodeClientMessage = (message: ClientMessage): Bytes =>
  encoded((encoder) => writeClientMessage(encoder, message))

export const encodeServerMessage = (message: ServerMessage): Bytes =>
  encoded((encoder) => writeServerMessage(encoder, message))
