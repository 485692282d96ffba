/**
 * The client's side of a session: numbered messages both ways, acknowledgement, outbox, resuming on any new link (S1–S3).
 * Which link carries them is `Links`' affair; what an update means is the provider's.
 */
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../protocol/limits.ts'
import type { ClientMessage, ServerMessage } from '../protocol/message.ts'
import { encodeClientMessage, readServerMessages } from '../protocol/message.ts'
import type { Resume, Welcome } from '../protocol/session.ts'
import type { TransportChoice } from '../transports/choose.ts'
import { ClientChannel, type ChannelHandlers, type ChannelRequest } from './channel.ts'
import type { LinksOptions } from './links.ts'
import { Links } from './links.ts'
import type { LiveLink } from './live-link.ts'
import { Liveness, rhythm } from './liveness.ts'
import { Inbox, Outbox, type Numbered } from './numbering.ts'

/** How long the server may wait to hear what arrived; any message that goes up meanwhile carries it along. */
const CONFIRM_MS = 200
const GOODBYE_MS = 500

interface Said extends Numbered {
  readonly channel: number
  readonly weight: number
  /** An edit is kept until it is saved or refused, anything else until it is received. */
  readonly isEdit: boolean
}

type NumberedServerMessage = Extract<ServerMessage, { number: number; channel: number }>

export class ClientSession {
  readonly links: Links
  readonly #options: LinksOptions
  readonly #onChange: () => void
  readonly #channels = new Map<number, ClientChannel>()
  readonly #outbox = new Outbox<Said>()
  readonly #inbox = new Inbox()
  #once: Uint8Array[] = []
  #identity: Pick<Resume, 'id' | 'secret'> | null = null
  #flushing = false
  #owesConfirmation = false
  #cancelConfirm = () => {}
  #cancelCheck = () => {}
  #liveness: Liveness
  #asked = { token: 0, at: 0 }

  constructor(options: LinksOptions, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
    this.#liveness = new Liveness(options.clock.now())
    this.links = new Links(options, {
      onOpened: (link, relief) => this.#greet(link, relief),
      onMessages: (link, messages) => this.#onMessages(link, messages),
      onChange,
    })
  }

  start(): void {
    this.links.start()
    this.#scheduleCheck()
  }

  openChannel(request: ChannelRequest, handlers: ChannelHandlers): ClientChannel {
    const id = this.#channels.size + 1
    const channel = new ClientChannel(id, request, handlers, {
      say: (make, of, weight) => this.#say(make, of, weight),
      sayOnce: (message) => this.#sayOnce(message),
    })
    this.#channels.set(id, channel)
    if (this.#identity) channel.attach()
    return channel
  }

  switchTo(choice: TransportChoice): Promise<void> {
    return this.links.switchTo(choice)
  }

  /** Something outside changed (network, visibility): ask at once instead of waiting for a timer (S7). */
  nudge(): void {
    this.links.hurry()
    if (this.links.current) this.#ping(this.links.current)
  }

  /** Says goodbye, waiting for a slow link no longer than a moment. */
  async close(): Promise<void> {
    this.#cancelCheck()
    this.#cancelConfirm()
    const { current } = this.links
    if (current) {
      this.#flush(current)
      const said = current.send([encodeClientMessage({ type: 'bye' })]).catch(() => {})
      await Promise.race([said, new Promise<void>((done) => this.#options.clock.after(GOODBYE_MS, done))])
    }
    this.links.stop({ code: 'done' })
  }

  // Opening

  #greet(link: LiveLink, relief: boolean): void {
    if (this.#identity) {
      const resume = { ...this.#identity, received: this.#inbox.received, take: !relief }
      return this.#send(link, [this.#hello(resume)])
    }
    this.#begin()
    const first = this.#outbox.after(0)
    link.sentUpTo = this.#outbox.last
    this.#send(link, [this.#hello(null), ...first.map(({ bytes }) => bytes)])
  }

  #hello(resume: Resume | null): Uint8Array {
    return encodeClientMessage({
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      schema: SCHEMA_VERSION,
      resume,
    })
  }

  /** Numbers start again; what was never acknowledged goes by state vectors (S3). */
  #begin(): void {
    this.#identity = null
    this.#outbox.restart()
    this.#inbox.restart()
    this.#once = []
    for (const channel of this.#channels.values()) channel.attach()
  }

  #onWelcome(link: LiveLink, welcome: Welcome): void {
    const relief = this.links.current !== null
    const asked = this.#identity
    this.#heard()
    this.links.roundTripMs = this.#options.clock.now() - link.openedAt
    if (asked && !welcome.resumed) this.#begin()
    else if (asked) link.sentUpTo = welcome.received
    this.#identity = { id: welcome.id, secret: welcome.secret }
    this.links.prove(link)
    if (asked && !welcome.resumed) this.links.dropDraining()
    else if (relief) this.#send(link, [encodeClientMessage({ type: 'take', received: this.#inbox.received })])
    for (const channel of this.#channels.values()) channel.onLink()
    this.#flushSoon()
  }

  // Speaking

  #say(make: (number: number) => ClientMessage, channel: number, weight: number): void {
    this.#outbox.add((number) => {
      const message = make(number)
      return { number, channel, weight, isEdit: message.type === 'edit', bytes: encodeClientMessage(message) }
    })
    this.#flushSoon()
  }

  #sayOnce(message: ClientMessage): void {
    if (!this.links.current) return
    this.#once.push(encodeClientMessage(message))
    this.#flushSoon()
  }

  /** All that one turn of the event loop says goes in one frame. */
  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      if (this.links.current) this.#flush(this.links.current)
    })
  }

  #flush(link: LiveLink): void {
    const entries = this.#outbox.after(link.sentUpTo)
    const messages = [...this.#once, ...entries.map(({ bytes }) => bytes)]
    this.#once = []
    if (messages.length === 0) return
    link.sentUpTo = this.#outbox.last
    if (this.#owesConfirmation) messages.push(this.#confirmation())
    this.#send(link, messages)
  }

  #send(link: LiveLink, messages: readonly Uint8Array[]): void {
    link.send(messages).catch((error: unknown) => link.close({ code: 'lost', detail: String(error) }))
  }

  #confirmation(): Uint8Array {
    this.#owesConfirmation = false
    this.#cancelConfirm()
    return encodeClientMessage({ type: 'received', number: this.#inbox.received })
  }

  #oweConfirmation(): void {
    if (this.#owesConfirmation) return
    this.#owesConfirmation = true
    this.#cancelConfirm = this.#options.clock.after(CONFIRM_MS, () => {
      if (this.links.current) this.#send(this.links.current, [this.#confirmation()])
    })
  }

  // Hearing

  #onMessages(link: LiveLink, bytes: Uint8Array): void {
    this.#heard()
    for (const message of readServerMessages(bytes)) this.#onMessage(link, message)
  }

  #onMessage(link: LiveLink, message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        return this.#onWelcome(link, message)
      case 'received':
        return void this.#outbox.release((said) => !said.isEdit && said.number <= message.number)
      case 'gap':
        link.sentUpTo = message.expected - 1
        return this.#flushSoon()
      case 'drained':
        return this.links.drained(link)
      case 'ping':
        return this.#send(link, [encodeClientMessage({ type: 'pong', token: message.token })])
      case 'pong':
        return this.#onPong(message.token)
      case 'presence':
        return this.#channels.get(message.channel)?.onPresence(message.update, message.whole)
      default:
        return this.#onNumbered(link, message)
    }
  }

  #onNumbered(link: LiveLink, message: NumberedServerMessage): void {
    const turn = this.#inbox.turnOf(message.number)
    this.#oweConfirmation()
    if (turn === 'gap' && link === this.links.current) {
      this.#send(link, [encodeClientMessage({ type: 'gap', expected: this.#inbox.received + 1 })])
    }
    const channel = this.#channels.get(message.channel)
    if (turn === 'take' && channel) this.#dispatch(channel, message)
  }

  #dispatch(channel: ClientChannel, message: NumberedServerMessage): void {
    switch (message.type) {
      case 'attached':
        return channel.onAttached(message)
      case 'change':
        return channel.onChange(message.update)
      case 'saved':
        return channel.saved(this.#release(channel.id, (number) => number <= message.upTo))
      case 'refused':
        return channel.refused(
          this.#release(channel.id, (number) => number === message.refused),
          message.reason,
        )
      case 'role':
        return channel.onRole(message.role)
      case 'detached':
        return channel.onDetached(message.reason)
    }
  }

  /** Lets go what was saved or refused. Returns how many edits it stood for. */
  #release(channel: number, done: (number: number) => boolean): number {
    const released = this.#outbox.release((said) => said.channel === channel && done(said.number))
    return released.reduce((sum, { weight }) => sum + weight, 0)
  }

  // Living

  #heard(): void {
    this.#liveness.heard(this.#options.clock.now())
  }

  #scheduleCheck(): void {
    this.#cancelCheck = this.#options.clock.after(rhythm.checkMs, () => {
      this.#scheduleCheck()
      this.#check()
    })
  }

  #check(): void {
    const { current } = this.links
    if (!current) return
    const verdict = this.#liveness.check(this.#options.clock.now())
    if (verdict === 'ask') this.#ping(current)
    if (verdict === 'dead') this.links.drop(current, { code: 'timeout', detail: 'a ping was not answered' })
  }

  #ping(link: LiveLink): void {
    this.#asked = { token: this.#asked.token + 1, at: this.#options.clock.now() }
    this.#send(link, [encodeClientMessage({ type: 'ping', token: this.#asked.token })])
  }

  #onPong(token: number): void {
    if (token !== this.#asked.token) return
    this.links.roundTripMs = this.#options.clock.now() - this.#asked.at
    this.#onChange()
  }
}
