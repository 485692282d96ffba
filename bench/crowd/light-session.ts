/**
 * Speaks Diptych's own protocol on one link: it numbers and acknowledges as a window does, but has no document. It leaves out what a
 * window does only after a failure: fallback, reconnection, comparison of state vectors. Runs in Node and in a browser.
 */
import { describeClose } from '../../lib/protocol/close.ts'
import { packFrames, FrameJoiner } from '../../lib/protocol/framing.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../../lib/protocol/limits.ts'
import type { ClientMessage, ServerMessage } from '../../lib/protocol/message.ts'
import { encodeClientMessage, readServerMessages } from '../../lib/protocol/message.ts'
import { realClock } from '../../lib/session/clock.ts'
import { ACKNOWLEDGE_MS } from '../../lib/session/client-session.ts'
import { Inbox, type NumberedEntry } from '../../lib/session/numbering.ts'
import { ReliableSender } from '../../lib/session/reliable-sender.ts'
import type { Link, Sink, LinkTarget, Transport } from '../../lib/transports/transport.ts'
import type { CrowdListener, CrowdConnection } from './crowd-protocol.ts'

const CHANNEL = 1
/** Number 1 is the attach message's. */
const FIRST_EDIT = 2

/** Resolves once the document is open. */
export async function openLightSession(
  transport: Transport,
  target: LinkTarget,
  document: string,
  listener: CrowdListener,
): Promise<CrowdConnection> {
  const session = new LightSession(listener)
  const link = await transport.open(target, session, new AbortController().signal)
  await session.attach(link, document)
  return session
}

class LightSession implements CrowdConnection, Sink {
  readonly #listener: CrowdListener
  readonly #joiner = new FrameJoiner()
  readonly #inbox = new Inbox()
  readonly #sender = new ReliableSender<NumberedEntry>({
    clock: realClock,
    acknowledgeWithinMs: ACKNOWLEDGE_MS,
    acknowledgement: () => encodeClientMessage({ type: 'received', number: this.#inbox.received }),
  })
  readonly #attached = Promise.withResolvers<void>()
  #link: Link | undefined
  #isOver = false

  constructor(listener: CrowdListener) {
    this.#listener = listener
  }

  attach(link: Link, document: string): Promise<void> {
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
    this.#sender.sendOn({ sentUpTo: 0, send })
    this.#sendNumbered((number) => ({
      type: 'attach',
      number,
      channel: CHANNEL,
      document,
      part: 'body',
      token: '',
      stateVector: Uint8Array.of(0),
      client: 0,
      cause: 'opening',
    }))
    return this.#attached.promise
  }

  sendEdit(update: Uint8Array): void {
    this.#sendNumbered((number) => ({ type: 'edit', number, channel: CHANNEL, update }))
  }

  sendHeartbeat(): void {
    this.#sender.sendUnnumbered(encodeClientMessage({ type: 'ping', token: 1 }))
  }

  close(): void {
    this.#isOver = true
    this.#sender.stop()
    this.#link?.close({ code: 'done' })
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    const messages = this.#joiner.push(frame)
    if (messages) for (const message of readServerMessages(messages)) this.#receive(message)
  }

  onClosed(reason: Parameters<typeof describeClose>[0]): void {
    this.#sender.stop()
    this.#attached.reject(new Error(describeClose(reason)))
    if (!this.#isOver) this.#listener.onClosed?.(describeClose(reason))
  }

  #sendNumbered(make: (number: number) => ClientMessage): void {
    this.#sender.send((number) => ({ number, bytes: encodeClientMessage(make(number)) }))
  }

  #receive(message: ServerMessage): void {
    if ('channel' in message && 'number' in message) {
      this.#sender.oweAcknowledgement()
      if (this.#inbox.receive(message.number) !== 'take') return
    }
    if (message.type === 'change') for (const update of message.updates) this.#listener.onUpdate?.(update)
    else if (message.type === 'saved') this.#receiveSaved(message.upTo)
    else if (message.type === 'attached') this.#attached.resolve()
    else if (message.type === 'ping')
      this.#sender.sendUnnumbered(encodeClientMessage({ type: 'pong', token: message.token }))
    else if (message.type === 'detached' || message.type === 'refused') this.#link?.close(message.reason)
  }

  #receiveSaved(upTo: number): void {
    this.#sender.outbox.release(({ number }) => number <= upTo)
    this.#listener.onAcknowledged?.(upTo - FIRST_EDIT + 1)
  }
}
