/**
 * Diptych's own protocol over its own transports, numbered and confirmed as a window does it, with no document behind it. What is
 * left out is what a window does only when something goes wrong: falling back, coming again, comparing.
 */
import { packFrames, FrameJoiner } from '../../../lib/protocol/envelope.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../../../lib/protocol/limits.ts'
import { describeClose } from '../../../lib/protocol/close.ts'
import type { ClientMessage, ServerMessage } from '../../../lib/protocol/message.ts'
import { encodeClientMessage, readServerMessages } from '../../../lib/protocol/message.ts'
import { realClock } from '../../../lib/session/clock.ts'
import { Inbox, type Numbered } from '../../../lib/session/numbering.ts'
import { Speaker } from '../../../lib/session/speaker.ts'
import type { Net } from '../../../lib/transports/net/net.ts'
import { createNet } from '../../../lib/transports/net/node.ts'
import { transports } from '../../../lib/transports/registry.ts'
import type { Link, Transport, TransportId } from '../../../lib/transports/transport.ts'
import type { Dialect, Hears, Voice } from '../dialect.ts'
import { LightSocket } from '../light-socket.ts'

const CHANNEL = 1
/** As a window confirms what it heard: with what it says next, or after that long. */
const CONFIRM_MS = 200
/** The first number is the attaching's. */
const FIRST_EDIT = 2

/** Plain HTTP/1.1, one connection pool for the thread. Over TLS each client has connections of its own, as a browser has. */
const lightNet: Net = {
  ...createNet(),
  webSocket: (url, headers, protocols) => new LightSocket(url, headers, protocols),
}

export const diptych = (transport: Exclude<TransportId, 'memory'>): Dialect => ({
  beatMs: 12_500,
  async open(origin, { document, token }, hears) {
    const net = origin.startsWith('https:')
      ? createNet({ insecure: true, webSocketOverHttp2: true })
      : lightNet
    const conversation = new Conversation(hears)
    const way = transports.get(transport) as Transport
    const link = await way.open({ origin, net, token }, conversation, new AbortController().signal)
    await conversation.begin(link, document)
    return conversation
  },
})

class Conversation implements Voice {
  readonly #hears: Hears
  readonly #joiner = new FrameJoiner()
  readonly #inbox = new Inbox()
  readonly #speaker = new Speaker<Numbered>({
    clock: realClock,
    confirmWithinMs: CONFIRM_MS,
    confirmation: () => encodeClientMessage({ type: 'received', number: this.#inbox.received }),
  })
  readonly #attached = Promise.withResolvers<void>()
  #link: Link | undefined
  #over = false

  constructor(hears: Hears) {
    this.#hears = hears
  }

  begin(link: Link, document: string): Promise<void> {
    this.#link = link
    const send = (messages: readonly Uint8Array[]): void => {
      for (const frame of packFrames(messages)) void link.send(frame)
    }
    send([
      encodeClientMessage({
        type: 'hello',
        protocol: PROTOCOL_VERSION,
        schema: SCHEMA_VERSION,
        resume: null,
      }),
    ])
    this.#speaker.speakOn({ sentUpTo: 0, send })
    this.#sayNumbered((number) => ({
      type: 'attach',
      number,
      channel: CHANNEL,
      document,
      part: 'body',
      token: '',
      stateVector: Uint8Array.of(0),
      cause: 'opening',
    }))
    return this.#attached.promise
  }

  say(update: Uint8Array): void {
    this.#sayNumbered((number) => ({ type: 'edit', number, channel: CHANNEL, update }))
  }

  beat(): void {
    this.#speaker.sayOnce(encodeClientMessage({ type: 'ping', token: 1 }))
  }

  close(): void {
    this.#over = true
    this.#speaker.stop()
    this.#link?.close({ code: 'done' })
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    const messages = this.#joiner.push(frame)
    if (messages) for (const message of readServerMessages(messages)) this.#hear(message)
  }

  onClosed(reason: Parameters<typeof describeClose>[0]): void {
    this.#speaker.stop()
    this.#attached.reject(new Error(describeClose(reason)))
    if (!this.#over) this.#hears.closed(describeClose(reason))
  }

  #sayNumbered(make: (number: number) => ClientMessage): void {
    this.#speaker.say((number) => ({ number, bytes: encodeClientMessage(make(number)) }))
  }

  #hear(message: ServerMessage): void {
    if ('channel' in message && 'number' in message) {
      this.#speaker.oweConfirmation()
      if (this.#inbox.turnOf(message.number) !== 'take') return
    }
    if (message.type === 'change') for (const update of message.updates) this.#hears.update(update)
    else if (message.type === 'saved') this.#saved(message.upTo)
    else if (message.type === 'attached') this.#attached.resolve()
    else if (message.type === 'ping') this.#answer(message.token)
    else if (message.type === 'detached' || message.type === 'refused') this.#link?.close(message.reason)
  }

  #saved(upTo: number): void {
    this.#speaker.outbox.release(({ number }) => number <= upTo)
    this.#hears.acknowledged(upTo - FIRST_EDIT + 1)
  }

  #answer(token: number): void {
    this.#speaker.sayOnce(encodeClientMessage({ type: 'pong', token }))
  }
}
