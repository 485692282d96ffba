/**
 * The client's side of a session: numbered messages both ways, acknowledgement, outbox, resuming on any new link (S1–S3).
 * `Links` decides which link carries the messages, and the provider knows what an update means.
 */
import type { CloseReason } from '../protocol/close.ts'
import { fateOf } from '../protocol/close.ts'
import { randomId } from '../protocol/ids.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../protocol/limits.ts'
import type { ClientMessage, ServerMessage } from '../protocol/message.ts'
import { encodeClientMessage, readServerMessages } from '../protocol/message.ts'
import type { RefusedMessage } from '../protocol/channel-messages.ts'
import type { ResumeRequest, WelcomeMessage } from '../protocol/session-messages.ts'
import { ProtocolError } from '../protocol/wire.ts'
import type { TransportChoice } from '../transports/choose-transport.ts'
import type { TransportId } from '../transports/transport.ts'
import { SessionRequests } from './session-requests.ts'
import { ClientChannel, type ChannelHandlers, type ChannelRequest } from './client-channel.ts'
import type { LinksOptions } from './links.ts'
import { Links } from './links.ts'
import type { FramedLink } from './framed-link.ts'
import { Inbox } from './numbering.ts'
import { livenessTiming } from './liveness.ts'
import { retryDelayMs } from './retry-delay.ts'
import { ReliableSender } from './reliable-sender.ts'
import { type SentMessage, UnacknowledgedMessages } from './unacknowledged-messages.ts'
import { LivenessMonitor } from './liveness-monitor.ts'
import type { SessionObserver } from './session-observer.ts'

/** While somebody writes, nearly always another message carries the acknowledgement along. One alone costs the server 30 µs. */
export const ACKNOWLEDGE_MS = 500
const BYE_TIMEOUT_MS = 500
/** Acknowledgements while a long message arrives in pieces: half of the silence after which the other side pings. */
const ACKNOWLEDGE_PIECES_MS = livenessTiming.quietMs / 2

type NumberedServerMessage = Extract<ServerMessage, { number: number; channel: number }>

export class ClientSession {
  readonly links: Links
  /** The principal that the server knows this client as, '' before its welcome. */
  principal = ''
  observer: SessionObserver | null = null
  readonly #options: LinksOptions
  readonly #onChange: () => void
  readonly #channels = new Map<number, ClientChannel>()
  readonly #sender: ReliableSender<SentMessage>
  readonly #unacknowledged: UnacknowledgedMessages
  readonly #inbox = new Inbox()
  readonly #requests = new SessionRequests((message) => this.#sender.sendUnnumbered(message))
  /** Before the first welcome without an id: the secret then shows that a second session is of the same window, if that welcome is lost. */
  #identity: Pick<ResumeRequest, 'id' | 'secret'> = { id: '', secret: randomId() }
  readonly #livenessMonitor: LivenessMonitor
  #hasBegun = false
  #sendingLink: FramedLink | null = null
  /** The hello on this link left the takeover for later. */
  #provingLink: FramedLink | null = null
  #onUnlinked = () => {}
  /** When the first piece arrived that has not been acknowledged. */
  #unacknowledgedSince: number | null = null

  constructor(options: LinksOptions, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
    this.#sender = new ReliableSender({
      clock: options.clock,
      acknowledgeWithinMs: ACKNOWLEDGE_MS,
      acknowledgement: () => this.#encodeAcknowledgement(),
      onSent: (upTo) => this.observer?.onSent(upTo),
    })
    this.#unacknowledged = new UnacknowledgedMessages(this.#sender.outbox)
    this.links = new Links(options, {
      onOpened: (link, isTakeover) => this.#sendHello(link, isTakeover),
      onReceived: () => this.#onReceived(),
      onMessages: (link, messages) => this.#onMessages(link, messages),
      onChange: () => this.#onLinksChange(),
    })
    this.#livenessMonitor = new LivenessMonitor({
      clock: options.clock,
      links: this.links,
      outbox: this.#sender.outbox,
      onMeasured: onChange,
    })
  }

  /** Why the session ended for good; undefined while it goes on. */
  get stopped(): CloseReason | undefined {
    const { state } = this.links
    return state.name === 'stopped' ? state.reason : undefined
  }

  /** Bytes of the sent messages that are not yet saved, refused or received. */
  get unacknowledgedBytes(): number {
    return this.#sender.outbox.bytes
  }

  start(): void {
    this.links.start()
    this.#livenessMonitor.start()
  }

  /** The channel attaches after its `markReady`. */
  openChannel(request: ChannelRequest, handlers: ChannelHandlers): ClientChannel {
    const id = this.#channels.size + 1
    const hasBegun = () => this.#hasBegun
    const channel = new ClientChannel(id, request, handlers, {
      send: (make, of, editCount) => this.#sendNumbered(make, of, editCount),
      sendUnnumbered: (message) => this.#sender.sendUnnumbered(encodeClientMessage(message)),
      abandonEdits: (of) => this.#unacknowledged.abandonEdits(of),
      get hasBegun() {
        return hasBegun()
      },
    })
    this.#channels.set(id, channel)
    return channel
  }

  /** Sends a request within the session, again on each new link. @throws {RequestRefused}, and what `signal` was aborted with. */
  request(method: string, parameters: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#requests.send(method, parameters, signal)
  }

  switchTo(choice: TransportChoice): Promise<void> {
    return this.links.switchTo(choice)
  }

  /** The window came back, or its network is gone: pings at once instead of waiting for a timer (S7). */
  checkLinkNow(): void {
    this.links.skipWait()
    this.#livenessMonitor.pingNow()
  }

  /** Starts the next attempt at once, for a person who does not want to wait (S8). */
  tryNow(): void {
    this.links.tryNow()
  }

  /** The machine is on another network, or on one again: the link may be dead, and the evidence may be wrong (S5). */
  onNetworkChange(): void {
    this.links.onNetworkChange()
    this.#livenessMonitor.pingNow()
  }

  /** Asks the server for its time. Sends nothing without a link. */
  requestServerTime(token: number): void {
    this.#sender.sendUnnumbered(encodeClientMessage({ type: 'clock', token }))
  }

  /** Sends `bye`, and waits only a moment for a slow link. */
  async close(): Promise<void> {
    this.#livenessMonitor.stop()
    this.#sender.flush()
    this.#sender.stop()
    await this.#sendBye()
    this.links.stop({ code: 'done' })
  }

  /** All messages of a last request, for a page that goes for good: it needs no answer. Null without unsaved edits. */
  farewellMessages(): readonly Uint8Array[] | null {
    if (!this.#isKnown || !this.#unacknowledged.hasEdits) return null
    const unacknowledged = this.#sender.outbox.after(0)
    return [
      this.#encodeHello(true),
      ...unacknowledged.map(({ bytes }) => bytes),
      encodeClientMessage({ type: 'bye' }),
    ]
  }

  /** The server ends the link in answer. If this side ended it, a POST still on its way would be lost. */
  async #sendBye(): Promise<void> {
    const { current } = this.links
    if (!current) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onUnlinked = resolve
    const cancel = this.#options.clock.after(BYE_TIMEOUT_MS, resolve)
    current.send([encodeClientMessage({ type: 'bye' })])
    await promise
    cancel()
  }

  // Opening

  #sendHello(link: FramedLink, isTakeover: boolean): void {
    if (this.#isKnown) {
      if (isTakeover) this.#provingLink = link
      return link.send([this.#encodeHello(!isTakeover)])
    }
    this.#beginSession()
    const first = this.#sender.outbox.after(0)
    link.sentUpTo = this.#sender.outbox.last
    link.send([this.#encodeHello(true), ...first.map(({ bytes }) => bytes)])
  }

  /** The server has welcomed this window before. */
  get #isKnown(): boolean {
    return this.#identity.id !== ''
  }

  #encodeHello(take: boolean): Uint8Array {
    return encodeClientMessage({
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      schema: SCHEMA_VERSION,
      resume: { ...this.#identity, received: this.#inbox.received, take },
    })
  }

  /** Numbers start again. State vectors bring what was never acknowledged (S3). */
  #beginSession(): void {
    this.#hasBegun = true
    this.#livenessMonitor.restart()
    this.#sender.outbox.restart()
    this.#inbox.restart()
    this.observer?.onRestart()
    for (const channel of this.#channels.values()) channel.attach()
  }

  #onWelcome(link: FramedLink, welcome: WelcomeMessage): void {
    const wasKnown = this.#isKnown
    this.#livenessMonitor.onReceived()
    this.links.record.onWelcome(this.#options.clock.now() - link.openedAt)
    if (wasKnown && !welcome.resumed) this.#beginSession()
    else if (wasKnown) this.#resume(link, welcome.received)
    this.#identity = { id: welcome.id, secret: welcome.secret }
    this.principal = welcome.principal
    this.links.promote(link)
    this.links.onOffers(offersOf(welcome))
    if (wasKnown && !welcome.resumed) this.links.closeDraining()
    else if (link === this.#provingLink)
      link.send([encodeClientMessage({ type: 'take', received: this.#inbox.received })])
    for (const channel of this.#channels.values()) channel.onLink()
  }

  #resume(link: FramedLink, received: number): void {
    link.sentUpTo = received
    this.#onAcknowledged(received)
  }

  #onAcknowledged(upTo: number): void {
    this.#livenessMonitor.onAcknowledged(upTo)
    this.observer?.onAcknowledged(upTo)
  }

  #onLinksChange(): void {
    if (this.#sendingLink !== this.links.current) {
      this.#sendingLink = this.links.current
      this.#sender.sendOn(this.#sendingLink)
      this.#livenessMonitor.onLinkChange(this.#sendingLink)
      this.#requests.resendAll()
    }
    if (!this.#sendingLink) {
      this.#onUnlinked()
      for (const channel of this.#channels.values()) channel.onUnlinked()
    }
    if (this.stopped) this.#requests.rejectAll(this.stopped)
    this.#onChange()
  }

  // Sending

  #sendNumbered(make: (number: number) => ClientMessage, channel: number, editCount: number): number {
    this.#livenessMonitor.onSent()
    const { number: sentNumber } = this.#sender.send((number) => {
      const message = make(number)
      return {
        number,
        channel,
        editCount,
        isEdit: message.type === 'edit',
        bytes: encodeClientMessage(message),
      }
    })
    return sentNumber
  }

  // Receiving

  /** Bytes arrived, perhaps only a piece of a long message: the other side also needs a sign of life from time to time. */
  #onReceived(): void {
    this.#livenessMonitor.onReceived()
    const now = this.#options.clock.now()
    this.#unacknowledgedSince ??= now
    if (now - this.#unacknowledgedSince < ACKNOWLEDGE_PIECES_MS) return
    this.#unacknowledgedSince = now
    this.links.current?.send([this.#encodeAcknowledgement()])
  }

  #encodeAcknowledgement(): Uint8Array {
    return encodeClientMessage({ type: 'received', number: this.#inbox.received })
  }

  #onMessages(link: FramedLink, bytes: Uint8Array): void {
    this.#unacknowledgedSince = null
    this.observer?.onMessages()
    const thrown: unknown[] = []
    for (const message of readServerMessages(bytes)) {
      try {
        this.#onMessage(link, message)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        thrown.push(error) // A listener of the document threw it: the later messages are handled all the same.
      }
    }
    if (thrown.length > 0) throw thrown[0]
  }

  #onMessage(link: FramedLink, message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        return this.#onWelcome(link, message)
      case 'received':
        this.#onAcknowledged(message.number)
        return this.#unacknowledged.onReceived(message.number)
      case 'gap':
        link.sentUpTo = message.expected - 1
        return this.#sender.flushSoon()
      case 'drained':
        return this.links.onDrained(link)
      case 'ping':
        return link.send([encodeClientMessage({ type: 'pong', token: message.token })])
      case 'pong':
        return this.#livenessMonitor.onPong(message.token)
      case 'presence':
        return this.#channels.get(message.channel)?.onPresence(message.update, message.whole)
      case 'trace':
        return this.#channels.get(message.channel)?.onTrace(message.client, message.bytes)
      case 'clock':
        return this.observer?.onServerTime(message.token, message.micros)
      case 'response':
        return this.#requests.onResponse(message)
      case 'store':
        return this.#channels.get(message.channel)?.onStoreState(message.failing)
      case 'compared':
        return this.#channels.get(message.channel)?.onCompared(message.same)
      default:
        return this.#onNumbered(link, message)
    }
  }

  #onNumbered(link: FramedLink, message: NumberedServerMessage): void {
    const result = this.#inbox.receive(message.number)
    this.#sender.oweAcknowledgement()
    if (result === 'gap' && link === this.links.current) {
      link.send([encodeClientMessage({ type: 'gap', expected: this.#inbox.received + 1 })])
    }
    const channel = this.#channels.get(message.channel)
    if (result === 'take' && channel) this.#deliver(channel, message)
  }

  #deliver(channel: ClientChannel, message: NumberedServerMessage): void {
    switch (message.type) {
      case 'attached':
        return channel.onAttached(message)
      case 'change':
        return channel.onChange(message.updates)
      case 'saved':
        this.#onAcknowledged(message.upTo)
        return channel.onSaved(this.#unacknowledged.onSaved(channel.id, message.upTo))
      case 'refused':
        return this.#onRefused(channel, message)
      case 'role':
        return channel.onRole(message.role)
      case 'detached':
        return this.#onDetached(channel, message.reason)
    }
  }

  /** An edit that came too early is sent again with all that it builds on; one that came at a bad time, after a while. */
  #onRefused(channel: ClientChannel, { refused, reason }: RefusedMessage): void {
    if (reason.code === 'behind') return channel.reattach('behind')
    if (fateOf(reason) === 'retry') return this.#pauseChannel(channel, reason)
    channel.onRefused(this.#unacknowledged.onRefused(channel.id, refused), reason)
  }

  #onDetached(channel: ClientChannel, reason: CloseReason): void {
    if (fateOf(reason) === 'retry') return this.#pauseChannel(channel, reason)
    this.#unacknowledged.abandonEdits(channel.id)
    channel.onDetached(reason)
  }

  /** Holds the channel's edits until it is attached again. */
  #pauseChannel(channel: ClientChannel, reason: CloseReason): void {
    const { clock } = this.#options
    this.#unacknowledged.abandonEdits(channel.id)
    channel.pause(reason)
    const delay = retryDelayMs({ attempt: channel.pauseCount, reason, random: clock.random() })
    // A session lost meanwhile has ended this pause, and the next one may be longer.
    clock.after(delay, () => channel.pauseReason === reason && channel.resume())
  }
}

/** An empty list says nothing: the client finds out by trying. */
const offersOf = ({ offers }: WelcomeMessage): readonly TransportId[] | null =>
  offers === '' ? null : (offers.split(',') as TransportId[])
