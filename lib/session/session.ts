/**
 * The client's side of a session: numbered messages both ways, acknowledgement, outbox, resuming on any new link (S1–S3).
 * Which link carries them is `Links`' affair; what an update means is the provider's.
 */
import type { CloseReason } from '../protocol/close.ts'
import { fateOf } from '../protocol/close.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../protocol/limits.ts'
import type { ClientMessage, ServerMessage } from '../protocol/message.ts'
import { encodeClientMessage, readServerMessages } from '../protocol/message.ts'
import type { Refused } from '../protocol/channel.ts'
import type { Resume, Welcome } from '../protocol/session.ts'
import { ProtocolError } from '../protocol/wire.ts'
import type { TransportChoice } from '../transports/choose.ts'
import type { TransportId } from '../transports/transport.ts'
import { Asks } from './asks.ts'
import { ClientChannel, type ChannelHandlers, type ChannelRequest } from './channel.ts'
import type { LinksOptions } from './links.ts'
import { Links } from './links.ts'
import type { LiveLink } from './live-link.ts'
import { Inbox } from './numbering.ts'
import { rhythm } from './liveness.ts'
import { nextDelay } from './retry.ts'
import { Speaker } from './speaker.ts'
import { type Said, Unanswered } from './unanswered.ts'
import { Vitals } from './vitals.ts'
import type { SessionWatch } from './watch.ts'

/** What is said meanwhile carries it along: of somebody who writes, nearly always. Each that goes alone costs the server 30 µs. */
export const CONFIRM_MS = 500
const GOODBYE_MS = 500
/** While something long arrives in pieces there is nothing to confirm. Half of what the other side waits before it asks. */
const SIGN_OF_LIFE_MS = rhythm.quietMs / 2

type NumberedServerMessage = Extract<ServerMessage, { number: number; channel: number }>

export class ClientSession {
  readonly links: Links
  /** As whom the server knows this client, '' before it said so. */
  principal = ''
  watch: SessionWatch | null = null
  readonly #options: LinksOptions
  readonly #onChange: () => void
  readonly #channels = new Map<number, ClientChannel>()
  readonly #speaker: Speaker<Said>
  readonly #unanswered: Unanswered
  readonly #inbox = new Inbox()
  readonly #asks = new Asks((message) => this.#speaker.sayOnce(message))
  #identity: Pick<Resume, 'id' | 'secret'> | null = null
  readonly #vitals: Vitals
  #hasBegun = false
  #spokenOn: LiveLink | null = null
  /** Its hello left the taking over for later. */
  #proving: LiveLink | null = null
  #onUnlinked = () => {}
  /** Since when pieces come and nothing is said of them. */
  #silentSince: number | null = null

  constructor(options: LinksOptions, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
    this.#speaker = new Speaker({
      clock: options.clock,
      confirmWithinMs: CONFIRM_MS,
      confirmation: () => this.#confirmation(),
      onSent: (upTo) => this.watch?.onSent(upTo),
    })
    this.#unanswered = new Unanswered(this.#speaker.outbox)
    this.links = new Links(options, {
      onOpened: (link, relief) => this.#greet(link, relief),
      onHeard: () => this.#onHeard(),
      onMessages: (link, messages) => this.#onMessages(link, messages),
      onChange: () => this.#onLinksChange(),
    })
    this.#vitals = new Vitals({
      clock: options.clock,
      links: this.links,
      outbox: this.#speaker.outbox,
      onMeasured: onChange,
    })
  }

  /** Why it ended for good; undefined while it goes on. */
  get stopped(): CloseReason | undefined {
    const { state } = this.links
    return state.name === 'stopped' ? state.reason : undefined
  }

  /** Of what is said and not yet saved, refused or received. */
  get waitingBytes(): number {
    return this.#speaker.outbox.bytes
  }

  start(): void {
    this.links.start()
    this.#vitals.start()
  }

  /** It attaches once it is `ready`. */
  openChannel(request: ChannelRequest, handlers: ChannelHandlers): ClientChannel {
    const id = this.#channels.size + 1
    const hasBegun = () => this.#hasBegun
    const channel = new ClientChannel(id, request, handlers, {
      say: (make, of, weight) => this.#say(make, of, weight),
      sayOnce: (message) => this.#speaker.sayOnce(encodeClientMessage(message)),
      disown: (of) => this.#unanswered.disown(of),
      get hasBegun() {
        return hasBegun()
      },
    })
    this.#channels.set(id, channel)
    return channel
  }

  /** A request inside the session, asked again on a new link. @throws {AskRefused}, and what `signal` was aborted with. */
  ask(about: string, body: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#asks.ask(about, body, signal)
  }

  switchTo(choice: TransportChoice): Promise<void> {
    return this.links.switchTo(choice)
  }

  /** The window came back: ask at once instead of waiting for a timer (S7). */
  nudge(): void {
    this.links.hurry()
    this.#vitals.askNow()
  }

  /** A person does not want to wait for the next attempt (S8). */
  tryNow(): void {
    this.links.tryNow()
  }

  /** The machine is on another network, or on one again: the link may be dead, and what was found may be wrong (S5). */
  networkChanged(): void {
    this.links.networkChanged()
    this.#vitals.askNow()
  }

  /** What time it is at the server; without a link nothing is asked. */
  askClock(token: number): void {
    this.#speaker.sayOnce(encodeClientMessage({ type: 'clock', token }))
  }

  /** Says goodbye, waiting for a slow link no longer than a moment. */
  async close(): Promise<void> {
    this.#vitals.stop()
    this.#speaker.flush()
    this.#speaker.stop()
    await this.#goodbye()
    this.links.stop({ code: 'done' })
  }

  /** For a page that goes for good: a whole conversation, without an answer. Null where nothing is unsent. */
  farewell(): readonly Uint8Array[] | null {
    if (!this.#identity || !this.#unanswered.hasEdits) return null
    const left = this.#speaker.outbox.after(0)
    const hello = this.#hello({ ...this.#identity, received: this.#inbox.received, take: true })
    return [hello, ...left.map(({ bytes }) => bytes), encodeClientMessage({ type: 'bye' })]
  }

  /** The server ends the link in answer. Ended here, it would take along a POST that is still on its way. */
  async #goodbye(): Promise<void> {
    const { current } = this.links
    if (!current) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onUnlinked = resolve
    const cancel = this.#options.clock.after(GOODBYE_MS, resolve)
    current.send([encodeClientMessage({ type: 'bye' })])
    await promise
    cancel()
  }

  // Opening

  #greet(link: LiveLink, relief: boolean): void {
    if (this.#identity) {
      if (relief) this.#proving = link
      const resume = { ...this.#identity, received: this.#inbox.received, take: !relief }
      return link.send([this.#hello(resume)])
    }
    this.#begin()
    const first = this.#speaker.outbox.after(0)
    link.sentUpTo = this.#speaker.outbox.last
    link.send([this.#hello(null), ...first.map(({ bytes }) => bytes)])
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
    this.#hasBegun = true
    this.#identity = null
    this.#vitals.restart()
    this.#speaker.outbox.restart()
    this.#inbox.restart()
    this.watch?.onRestart()
    for (const channel of this.#channels.values()) channel.attach()
  }

  #onWelcome(link: LiveLink, welcome: Welcome): void {
    const asked = this.#identity
    this.#vitals.heard()
    this.links.record.welcomed(this.#options.clock.now() - link.openedAt)
    if (asked && !welcome.resumed) this.#begin()
    else if (asked) this.#resume(link, welcome.received)
    this.#identity = { id: welcome.id, secret: welcome.secret }
    this.principal = welcome.principal
    this.links.prove(link)
    this.links.offeredByServer(offersOf(welcome))
    if (asked && !welcome.resumed) this.links.dropDraining()
    else if (link === this.#proving)
      link.send([encodeClientMessage({ type: 'take', received: this.#inbox.received })])
    for (const channel of this.#channels.values()) channel.onLink()
  }

  #resume(link: LiveLink, received: number): void {
    link.sentUpTo = received
    this.#arrived(received)
  }

  #arrived(upTo: number): void {
    this.#vitals.arrived(upTo)
    this.watch?.onArrived(upTo)
  }

  #onLinksChange(): void {
    if (this.#spokenOn !== this.links.current) {
      this.#spokenOn = this.links.current
      this.#speaker.speakOn(this.#spokenOn)
      this.#vitals.onLink(this.#spokenOn)
      this.#asks.again()
    }
    if (!this.#spokenOn) this.#onUnlinked()
    if (this.stopped) this.#asks.end(this.stopped)
    this.#onChange()
  }

  // Speaking

  #say(make: (number: number) => ClientMessage, channel: number, weight: number): number {
    this.#vitals.said()
    const { number: said } = this.#speaker.say((number) => {
      const message = make(number)
      return { number, channel, weight, isEdit: message.type === 'edit', bytes: encodeClientMessage(message) }
    })
    return said
  }

  // Hearing

  /** Whatever arrived, perhaps only a piece of a long message: the other side, too, has to hear from time to time that we live. */
  #onHeard(): void {
    this.#vitals.heard()
    const now = this.#options.clock.now()
    this.#silentSince ??= now
    if (now - this.#silentSince < SIGN_OF_LIFE_MS) return
    this.#silentSince = now
    this.links.current?.send([this.#confirmation()])
  }

  #confirmation(): Uint8Array {
    return encodeClientMessage({ type: 'received', number: this.#inbox.received })
  }

  #onMessages(link: LiveLink, bytes: Uint8Array): void {
    this.#silentSince = null
    this.watch?.onMessages()
    const thrown: unknown[] = []
    for (const message of readServerMessages(bytes)) {
      try {
        this.#onMessage(link, message)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        thrown.push(error) // by a listener of the document; the messages behind it are heard all the same
      }
    }
    if (thrown.length > 0) throw thrown[0]
  }

  #onMessage(link: LiveLink, message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        return this.#onWelcome(link, message)
      case 'received':
        this.#arrived(message.number)
        return this.#unanswered.received(message.number)
      case 'gap':
        link.sentUpTo = message.expected - 1
        return this.#speaker.flushSoon()
      case 'drained':
        return this.links.drained(link)
      case 'ping':
        return link.send([encodeClientMessage({ type: 'pong', token: message.token })])
      case 'pong':
        return this.#vitals.onPong(message.token)
      case 'presence':
        return this.#channels.get(message.channel)?.onPresence(message.update, message.whole)
      case 'trace':
        return this.#channels.get(message.channel)?.onTrace(message.client, message.bytes)
      case 'clock':
        return this.watch?.onClock(message.token, message.micros)
      case 'answer':
        return this.#asks.heard(message)
      case 'store':
        return this.#channels.get(message.channel)?.onStore(message.failing)
      case 'compared':
        return this.#channels.get(message.channel)?.onCompared(message.same)
      default:
        return this.#onNumbered(link, message)
    }
  }

  #onNumbered(link: LiveLink, message: NumberedServerMessage): void {
    const turn = this.#inbox.turnOf(message.number)
    this.#speaker.oweConfirmation()
    if (turn === 'gap' && link === this.links.current) {
      link.send([encodeClientMessage({ type: 'gap', expected: this.#inbox.received + 1 })])
    }
    const channel = this.#channels.get(message.channel)
    if (turn === 'take' && channel) this.#dispatch(channel, message)
  }

  #dispatch(channel: ClientChannel, message: NumberedServerMessage): void {
    switch (message.type) {
      case 'attached':
        return channel.onAttached(message)
      case 'change':
        return channel.onChange(message.updates)
      case 'saved':
        this.#arrived(message.upTo)
        return channel.saved(this.#unanswered.saved(channel.id, message.upTo))
      case 'refused':
        return this.#onRefused(channel, message)
      case 'role':
        return channel.onRole(message.role)
      case 'detached':
        return this.#onDetached(channel, message.reason)
    }
  }

  /** An edit that is merely early is offered again with all that it builds on; one that came at a bad time, after a while. */
  #onRefused(channel: ClientChannel, { refused, reason }: Refused): void {
    if (reason.code === 'behind') return channel.heal('behind')
    if (fateOf(reason) === 'retry') return this.#pause(channel, reason)
    channel.refused(this.#unanswered.refused(channel.id, refused), reason)
  }

  #onDetached(channel: ClientChannel, reason: CloseReason): void {
    if (fateOf(reason) === 'retry') return this.#pause(channel, reason)
    this.#unanswered.disown(channel.id)
    channel.onDetached(reason)
  }

  /** Its edits are held until it is attached again. */
  #pause(channel: ClientChannel, reason: CloseReason): void {
    const { clock } = this.#options
    this.#unanswered.disown(channel.id)
    channel.pause(reason)
    const delay = nextDelay({ attempt: channel.pauses, reason, random: clock.random() })
    // A session that was lost meanwhile has ended this pause, and the next one may be longer.
    clock.after(delay, () => channel.pausedFor === reason && channel.resume())
  }
}

/** '' tells nothing: it is asked by trying. */
const offersOf = ({ offers }: Welcome): readonly TransportId[] | null =>
  offers === '' ? null : (offers.split(',') as TransportId[])
