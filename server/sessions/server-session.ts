/**
 * The server's side of a session: takes numbered messages in order and exactly once (S1), repeats its own until they are
 * confirmed (S2), outlives its links for a while (S3), and speaks on the link that last took over (S4).
 */
import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { AttachMessage, EditMessage } from '../../lib/protocol/channel-messages.ts'
import type { DigestMessage } from '../../lib/protocol/health-messages.ts'
import type { ClientMessage, ServerMessage } from '../../lib/protocol/message.ts'
import { encodeServerMessage } from '../../lib/protocol/message.ts'
import type { EncodedMessage } from '../../lib/protocol/framing.ts'
import { type SharedByteHolders, SharedChange, type SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { Liveness } from '../../lib/session/liveness.ts'
import { Inbox, type NumberedEntry } from '../../lib/session/numbering.ts'
import { ReliableSender } from '../../lib/session/reliable-sender.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type ServerCounts, incrementCount } from '../metrics/server-counts.ts'
import { type Rate, RateLimit } from '../rate-limit.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { type RequestResponder, RequestHandler } from './request-handler.ts'
import type { BufferAccount, BufferBudget } from './buffer-budget.ts'
import { LostMessageDetection } from './lost-message-detection.ts'
import { MAX_PRESENCE_BACKLOG_BYTES, type SessionLink } from './session-link.ts'
import { ServerChannel } from './server-channel.ts'
import type { StateBudget } from './state-budget.ts'
import { type UnacknowledgedKind, UnacknowledgedBytes } from './unacknowledged-bytes.ts'

/** Long enough that `saved` nearly always goes first and carries it along. */
const ACKNOWLEDGE_WITHIN_MS = 25
const MAX_CHANNELS = 100
const DRAINED_LINK_MS = 10_000
/** A window stamps each frame of edits, answers every 100 ms and asks every 5 s; the rest is for measurements of fast typing. */
const MAX_TRACE_RATE: Rate = { atOnce: 200, perSecond: 100 }
/** W7 says goodbye within 2 s of a link's known end; a reload or a switch comes back sooner. */
const HIDE_PRESENCE_MS = 1_500

const doNothing = (): void => {}

/** What an entry of the outbox costs beside the bytes of its message: most have ten. */
const ENTRY_COST_BYTES = 128

interface OutboxMessage extends NumberedEntry {
  readonly kind: UnacknowledgedKind
  /** Others hear the same bytes. */
  readonly shared: SharedByteHolders | null
  onAcknowledged(): void
}

export interface ServerSessionOptions {
  readonly id: string
  readonly secret: string
  readonly principal: Principal
  readonly rooms: Rooms
  readonly log: Logger
  readonly stateBudget: StateBudget
  readonly counts: ServerCounts
  readonly bufferBudget: BufferBudget
  /** Of questions that are about no document. */
  readonly respond: RequestResponder
  /** S6: less than it is, in tests. */
  readonly maxLagBytes?: number
  onEnded(session: ServerSession): void
}

export class ServerSession {
  readonly id: string
  readonly secret: string
  readonly principal: Principal
  readonly #parts: ServerSessionOptions
  readonly #inbox = new Inbox()
  readonly #channels = new Map<number, ServerChannel>()
  readonly #seats = new Set<SessionLink>()
  readonly #speaker = new ReliableSender<OutboxMessage>({
    clock: realClock,
    acknowledgeWithinMs: ACKNOWLEDGE_WITHIN_MS,
    acknowledgement: () => encodeServerMessage({ type: 'received', number: this.#inbox.received }),
  })
  #liveness = new Liveness(realClock.now())
  #current: SessionLink | null = null
  #pingToken = 0
  readonly #lastWord = new LostMessageDetection()
  #asks: RequestHandler | undefined
  readonly #traces = new RateLimit(MAX_TRACE_RATE, realClock)
  readonly #unconfirmed: UnacknowledgedBytes
  readonly #debt: BufferAccount
  #cancelHide = () => {}
  #ended = false
  /** Since when it has no link, null while it has one. */
  linklessSince: number | null = null

  constructor(options: ServerSessionOptions) {
    this.#parts = options
    this.id = options.id
    this.secret = options.secret
    this.principal = options.principal
    this.#unconfirmed = new UnacknowledgedBytes(options.maxLagBytes)
    this.#debt = options.bufferBudget.openAccount(options.principal.id, (reason) => this.end(reason))
  }

  get received(): number {
    return this.#inbox.received
  }

  /** Edits taken but not answered. */
  get inFlight(): number {
    return [...this.#channels.values()].reduce((sum, { inFlight }) => sum + inFlight, 0)
  }

  /** A2: the id alone opens nothing, and nobody else's secret does either. */
  isOpenFor(principal: Principal, secret: string): boolean {
    const given = Buffer.from(secret)
    const own = Buffer.from(this.secret)
    return principal.id === this.principal.id && given.length === own.length && timingSafeEqual(given, own)
  }

  /** A link that may bring messages; it becomes the one that is spoken on by `take`. */
  addLink(link: SessionLink): void {
    this.#seats.add(link)
  }

  /** @param received The client's confirmation: all behind it is repeated on this link (S2). */
  takeOver(link: SessionLink, received: number): void {
    this.#confirm(received)
    if (link === this.#current) return // a POST that the network delivered twice
    const previousLink = this.#current
    this.#current = link
    this.linklessSince = null
    this.#cancelHide()
    this.#liveness = new Liveness(realClock.now())
    this.#lastWord.reset()
    link.sentUpTo = received
    this.#speaker.sendOn(link)
    if (previousLink) this.#relieve(previousLink)
    for (const channel of this.#channels.values()) channel.onNewLink()
  }

  removeLink(link: SessionLink): void {
    this.#seats.delete(link)
    if (this.#current !== link || this.#ended) return
    if (this.#unconfirmed.isOverLimitWithoutLink) return this.end({ code: 'overloaded' })
    this.#current = null
    this.#speaker.sendOn(null)
    this.linklessSince = realClock.now()
    this.#cancelHide = realClock.after(HIDE_PRESENCE_MS, () => {
      for (const channel of this.#channels.values()) channel.hidePresence()
    })
  }

  /** Anything at all, be it a piece of a long message. */
  onReceived(): void {
    this.#liveness.onReceived(realClock.now())
  }

  /** @throws {ProtocolError} */
  receive(link: SessionLink, message: ClientMessage): void {
    if (this.#ended) return // what stands behind the `bye` in the same frame
    switch (message.type) {
      case 'hello': // a POST that the network delivered twice
        return
      case 'take':
        return this.takeOver(link, message.received)
      case 'received':
        return this.#confirm(message.number)
      case 'gap':
        return this.#repeat(link, message.expected)
      case 'ping':
        return link.send([encodeServerMessage({ type: 'pong', token: message.token })])
      case 'pong':
        return this.#lastWord.onPong(message.token)
      case 'bye':
        return this.end({ code: 'done' })
      case 'presence':
        return this.#channels.get(message.channel)?.receivePresence(message.update)
      case 'caret':
        return this.#channels.get(message.channel)?.receiveCaret(message.cursor)
      case 'trace':
        if (this.#traces.take())
          this.#channels.get(message.channel)?.receiveTrace(message.client, message.bytes)
        return
      case 'clock':
        return link.send([encodeServerMessage({ type: 'clock', token: message.token, micros: microsNow() })])
      case 'digest':
        return this.#compare(message)
      case 'ask':
        return (this.#asks ??= this.#createAsks()).receive(message)
      default:
        return this.#hearNumbered(link, message)
    }
  }

  /** Called every `rhythm.checkMs` (S7). */
  check(): void {
    this.#onProgress()
    const verdict = this.#current ? this.#liveness.check(realClock.now()) : 'fine'
    if (verdict === 'ask') this.#ping()
    if (verdict === 'dead') this.#current?.close({ code: 'timeout', detail: strings.link.noPong })
    if (this.#current) this.#doubtLastWord(this.#current)
  }

  #ping(): void {
    this.#speaker.sendUnnumbered(encodeServerMessage({ type: 'ping', token: ++this.#pingToken }))
  }

  #doubtLastWord(seat: SessionLink): void {
    const oldest = this.#speaker.outbox.oldest
    const verdict = this.#lastWord.check(oldest)
    if (verdict === 'ask') {
      this.#ping()
      this.#lastWord.onPing(this.#pingToken)
    }
    if (verdict === 'repeat' && oldest !== undefined) this.#repeat(seat, oldest)
  }

  /** The end of the session, not of a link: its presence goes at once. */
  end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancelHide()
    this.#asks?.abort()
    for (const channel of this.#channels.values()) channel.leave()
    this.#speaker.flush()
    for (const message of this.#speaker.outbox.restart()) this.#letGo(message)
    this.#debt.close()
    this.#speaker.stop()
    for (const link of this.#seats) link.close(reason)
    this.#parts.onEnded(this)
  }

  /** Its client closes it when it hears that; one that hears nothing any more must not stay. */
  #relieve(seat: SessionLink): void {
    seat.send([encodeServerMessage({ type: 'drained' })])
    realClock.after(DRAINED_LINK_MS, () => seat.close({ code: 'drained' }))
  }

  #createAsks(): RequestHandler {
    const { respond, log } = this.#parts
    return new RequestHandler({
      principal: this.principal,
      respond,
      send: (answer) => this.#speaker.sendUnnumbered(encodeServerMessage(answer)),
      onFailed: (error) => log.error({ session: this.id, err: error }, 'a question could not be answered'),
    })
  }

  #hearNumbered(
    seat: SessionLink,
    message: Extract<ClientMessage, { number: number; channel: number }>,
  ): void {
    const turn = this.#inbox.receive(message.number)
    this.#speaker.oweAcknowledgement()
    if (turn === 'gap') {
      return seat.send([encodeServerMessage({ type: 'gap', expected: this.#inbox.received + 1 })])
    }
    if (turn === 'repeat') return
    switch (message.type) {
      case 'attach':
        return this.#attach(message)
      case 'detach':
        this.#channels.get(message.channel)?.leave()
        return void this.#channels.delete(message.channel)
      case 'edit':
        return this.#edit(message)
    }
  }

  #attach(message: AttachMessage): void {
    const { counts } = this.#parts
    if (message.cause !== 'opening') incrementCount(counts.resyncs, message.cause)
    const before = this.#channels.get(message.channel)
    const again = before?.resync(message)
    if (again) return this.#guard(again)
    before?.leave()
    this.#channels.delete(message.channel)
    if ([...this.#channels.values()].some((other) => other.isFor(message)))
      throw new ProtocolError('bad-message', strings.session.openTwice)
    if (this.#channels.size >= MAX_CHANNELS) {
      throw new ProtocolError('bad-message', strings.session.manyDocuments(MAX_CHANNELS))
    }
    const takesPresence = () =>
      (this.#current?.hasCapacity ?? false) && this.#speaker.unnumberedBytes <= MAX_PRESENCE_BACKLOG_BYTES
    const channel = new ServerChannel(message, {
      rooms: this.#parts.rooms,
      principal: this.principal,
      session: this.id,
      send: (make) => this.#say('answer', make),
      sendState: (make, confirmed) => this.#say('state', make, confirmed),
      sendChange: (updates, of) => this.#sayChange(updates, of),
      get acceptsPresence() {
        return takesPresence()
      },
      budget: this.#parts.stateBudget,
      counts,
      sendUnnumbered: (said) => this.#speaker.sendUnnumbered(encodeServerMessage(said)),
      onBadInput: (reason) => this.end(reason),
    })
    this.#channels.set(message.channel, channel)
    this.#guard(channel.join(message))
  }

  /** With anything on its way to the client the answer would say nothing. */
  #compare({ channel: id, digest }: DigestMessage): void {
    const channel = this.#channels.get(id)
    if (channel && this.#unconfirmed.bytes === 0) this.#guard(channel.compareDigest(digest))
  }

  #edit({ channel: id, update, number }: EditMessage): void {
    const channel = this.#channels.get(id)
    if (!channel) throw new ProtocolError('bad-message', strings.session.neverAttached(id))
    this.#guard(channel.receiveEdit(update, number))
  }

  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof ProtocolError) return this.end(error.reason)
      this.#parts.log.error({ session: this.id, err: error }, 'session failed')
      this.end({ code: 'overloaded', detail: strings.session.serverError, retryAfterMs: 1_000 })
    })
  }

  #say(kind: UnacknowledgedKind, make: (number: number) => ServerMessage, confirmed?: () => void): void {
    this.#sayEncoded(kind, (number) => encodeServerMessage(make(number)), confirmed)
  }

  #sayEncoded(
    kind: UnacknowledgedKind,
    encode: (number: number) => EncodedMessage,
    onAcknowledged = doNothing,
    shared: SharedByteHolders | null = null,
  ): void {
    if (this.#ended) return onAcknowledged()
    const said = this.#speaker.send((number) => ({
      number,
      kind,
      bytes: encode(number),
      shared,
      onAcknowledged,
    }))
    this.#unconfirmed.add(kind, said.bytes.length)
    this.#charge(said)
    if (!this.#unconfirmed.isOverLimit) return
    // Whoever confirms nothing exchanges state vectors on a new session; nothing is kept for it here (S3).
    this.end({ code: 'overloaded', detail: strings.session.tooSlow })
  }

  #sayChange(updates: SharedUpdates, channel: number): boolean {
    if (!this.#unconfirmed.hasRoomFor(updates.length)) {
      this.#parts.counts.lags += 1
      return false
    }
    this.#sayEncoded(
      'change',
      (number) => new SharedChange(number, channel, updates),
      doNothing,
      updates.holders,
    )
    return true
  }

  #charge({ shared, bytes }: OutboxMessage): void {
    if (shared) this.#debt.chargeShared(shared)
    this.#debt.charge(ENTRY_COST_BYTES + (shared ? 0 : bytes.length))
  }

  /** Confirmed, or never to be said again. */
  #letGo({ kind, shared, bytes, onAcknowledged }: OutboxMessage): void {
    this.#unconfirmed.subtract(kind, bytes.length)
    if (shared) this.#debt.releaseShared(shared)
    this.#debt.release(ENTRY_COST_BYTES + (shared ? 0 : bytes.length))
    onAcknowledged()
  }

  /** Something has come through. */
  #onProgress(): void {
    const caughtUp = this.#unconfirmed.isCaughtUp
    for (const channel of this.#channels.values()) {
      const work = caughtUp || !channel.isLagging ? channel.onProgress() : null
      if (work) this.#guard(work)
    }
  }

  /** The client says from where. */
  #repeat(seat: SessionLink, expected: number): void {
    const { last } = this.#speaker.outbox
    if (expected < 1 || expected > last + 1)
      throw new ProtocolError('bad-message', strings.session.gap(expected, last))
    seat.sentUpTo = expected - 1
    this.#speaker.flushSoon()
  }

  #confirm(number: number): void {
    const { last } = this.#speaker.outbox
    if (number > last)
      throw new ProtocolError('bad-message', strings.session.badAcknowledgement(number, last))
    for (const said of this.#speaker.outbox.releaseUpTo(number)) this.#letGo(said)
    this.#onProgress()
  }
}

/** Since 1970. It never leaps, as the system's clock may: only differences count (L2). */
const microsNow = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)
