/**
 * The server's side of a session: receives numbered messages in order and exactly once (S1), repeats its own until they are
 * acknowledged (S2), outlives its links for a while (S3), and sends on the link that last took over (S4).
 */
import type { Logger } from 'pino'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { AttachMessage, EditMessage } from '../../lib/protocol/channel-messages.ts'
import type { DigestMessage } from '../../lib/protocol/digest-messages.ts'
import type { RequestMessage } from '../../lib/protocol/request-messages.ts'
import type { ClientMessage, ServerMessage } from '../../lib/protocol/message.ts'
import { encodeServerMessage } from '../../lib/protocol/message.ts'
import type { EncodedMessage } from '../../lib/protocol/framing.ts'
import { type SharedByteHolders, SharedChange, type SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { Liveness } from '../../lib/session/liveness.ts'
import { Inbox, type NumberedEntry } from '../../lib/session/numbering.ts'
import { ReliableSender } from '../../lib/session/reliable-sender.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { type Meter, tooMuchWork } from '../metering/meter.ts'
import { PRICES, repeatUnits, type WorkKind } from '../metering/prices.ts'
import { type ServerCounts, incrementCount } from '../metrics/server-counts.ts'
import { type Rate, RateLimit } from '../rate-limit.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { type RequestResponder, SessionRequestHandler } from './session-request-handler.ts'
import type { BufferBudget } from './buffer-budget.ts'
import { LostMessageDetection } from './lost-message-detection.ts'
import { MAX_PRESENCE_BACKLOG_BYTES, type SessionLink } from './session-link.ts'
import { ServerChannel } from './server-channel.ts'
import { isSame } from './session-ids.ts'
import type { StateBudget } from './state-budget.ts'
import {
  UnacknowledgedBytes,
  type UnacknowledgedKind,
  type UnacknowledgedMessage,
} from './unacknowledged-bytes.ts'

/** Long enough that `saved` is usually sent first, and the acknowledgement with it. */
const ACKNOWLEDGE_WITHIN_MS = 25
const MAX_CHANNELS = 100
const DRAINED_LINK_MS = 10_000
/** A window traces each frame of edits, answers every 100 ms and asks every 5 s; the rest is for measurements of fast typing. */
const MAX_TRACE_RATE: Rate = { atOnce: 200, perSecond: 100 }
/** A window pings every 10 s, also one whose person's other windows have caused too much work (S7). */
const MAX_PING_RATE: Rate = { atOnce: 10, perSecond: 1 }
/** A window changes its link a few times while it looks for the best one, and then when the network does. */
const MAX_TAKE_RATE: Rate = { atOnce: 20, perSecond: 1 }
/** Presence must go within 2 s of a link's known end (W7); a reload or a switch of links comes back sooner than this. */
const HIDE_PRESENCE_MS = 1_500

const doNothing = (): void => {}

interface OutboxMessage extends NumberedEntry, UnacknowledgedMessage {
  readonly bytes: EncodedMessage
  onAcknowledged(): void
}

export interface ServerSessionOptions {
  readonly id: string
  readonly secret: string
  readonly principal: Principal
  readonly rooms: Rooms
  readonly log: Logger
  readonly stateBudget: StateBudget
  readonly meter: Meter
  readonly counts: ServerCounts
  readonly bufferBudget: BufferBudget
  /** Answers requests that concern no document. */
  readonly respond: RequestResponder
  /** The limit of S6; tests make it smaller. */
  readonly maxLagBytes?: number
  /** Its `linklessSince` changed. */
  onLinkChanged(session: ServerSession): void
  onEnded(session: ServerSession): void
}

export class ServerSession {
  readonly id: string
  readonly secret: string
  readonly principal: Principal
  readonly #options: ServerSessionOptions
  readonly #inbox = new Inbox()
  readonly #channels = new Map<number, ServerChannel>()
  readonly #links = new Set<SessionLink>()
  readonly #sender = new ReliableSender<OutboxMessage>({
    clock: realClock,
    acknowledgeWithinMs: ACKNOWLEDGE_WITHIN_MS,
    acknowledgement: () => encodeServerMessage({ type: 'received', number: this.#inbox.received }),
  })
  #liveness = new Liveness(realClock.now())
  #current: SessionLink | null = null
  #pingToken = 0
  readonly #lostMessages = new LostMessageDetection()
  #requests: SessionRequestHandler | undefined
  readonly #traces = new RateLimit(MAX_TRACE_RATE, realClock)
  readonly #pings = new RateLimit(MAX_PING_RATE, realClock)
  readonly #takes = new RateLimit(MAX_TAKE_RATE, realClock)
  readonly #unacknowledged: UnacknowledgedBytes
  #cancelHide = () => {}
  #ended = false
  /** The time since which it has no link; null while it has one. */
  linklessSince: number | null = null

  constructor(options: ServerSessionOptions) {
    this.#options = options
    this.id = options.id
    this.secret = options.secret
    this.principal = options.principal
    const account = options.bufferBudget.openAccount(options.principal.id, (reason) => this.end(reason))
    this.#unacknowledged = new UnacknowledgedBytes(account, options.maxLagBytes)
  }

  get received(): number {
    return this.#inbox.received
  }

  /** The transport of the link that it sends on; null while it has none. */
  get transport(): TransportId | null {
    return this.#current?.transport ?? null
  }

  /** How many edits were received and not answered yet. */
  get inFlight(): number {
    return [...this.#channels.values()].reduce((sum, { inFlight }) => sum + inFlight, 0)
  }

  /** The id alone opens nothing, and neither does anybody else's secret (A2). */
  isOpenFor(principal: Principal, secret: string): boolean {
    return principal.id === this.principal.id && isSame(secret, this.secret)
  }

  /** Adds a link that may bring messages. The server sends on it only after a `take`. */
  addLink(link: SessionLink): void {
    this.#links.add(link)
  }

  /** @param received The last number that the client has: all later messages are repeated on this link (S2). */
  takeOver(link: SessionLink, received: number): void {
    this.#acknowledge(received)
    if (link === this.#current) return // a POST that the network delivered twice
    const previousLink = this.#current
    this.#current = link
    if (this.linklessSince !== null) {
      this.linklessSince = null
      this.#options.onLinkChanged(this)
    }
    this.#cancelHide()
    this.#liveness = new Liveness(realClock.now())
    this.#lostMessages.reset()
    link.sentUpTo = received
    this.#sender.sendOn(link)
    if (previousLink) this.#drainLink(previousLink)
    for (const channel of this.#channels.values()) channel.onNewLink()
  }

  removeLink(link: SessionLink): void {
    this.#links.delete(link)
    if (this.#current !== link || this.#ended) return
    if (this.#unacknowledged.isOverLimitWithoutLink) return this.end({ code: 'overloaded' })
    this.#current = null
    this.#sender.sendOn(null)
    this.linklessSince = realClock.now()
    this.#options.onLinkChanged(this)
    this.#cancelHide = realClock.after(HIDE_PRESENCE_MS, () => {
      for (const channel of this.#channels.values()) channel.hidePresence()
    })
  }

  /** Called for any received bytes, even a piece of a long message. */
  onReceived(): void {
    this.#liveness.onReceived(realClock.now())
  }

  /** @throws {ProtocolError} */
  receive(link: SessionLink, message: ClientMessage): void {
    if (this.#ended) return // the rest of a frame after `bye`
    switch (message.type) {
      case 'hello': // a POST that the network delivered twice
        return
      case 'take':
        return this.#receiveTake(link, message.received)
      case 'received':
        return this.#acknowledge(message.number)
      case 'gap':
        return this.#answerGap(link, message.expected)
      case 'ping':
        return this.#answerPing(link, message.token)
      case 'pong':
        return this.#lostMessages.onPong(message.token)
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
        if (this.#takeWork(PRICES.answer, 'clock'))
          link.answer({ type: 'clock', token: message.token, micros: microsNow() })
        return
      case 'digest':
        return this.#compareDigest(message)
      case 'request':
        return this.#receiveRequest(message)
      default:
        return this.#receiveNumbered(link, message)
    }
  }

  /** False: the principal has caused too much work, and nothing is lost if there is no answer. */
  #takeWork(units: number, kind: WorkKind): boolean {
    return this.#options.meter.take(this.principal, units, kind) === 0
  }

  /** A window that pings no oftener than it has to is always answered. Whoever floods and has nothing left comes back later. */
  #answerPing(link: SessionLink, token: number): void {
    const waitMs = this.#options.meter.take(this.principal, PRICES.answer, 'ping')
    if (this.#pings.take() || waitMs === 0) return link.answer({ type: 'pong', token })
    this.end(tooMuchWork(waitMs).reason)
  }

  /** Each is answered with who is here, in each document. Whoever takes turns on two links and has nothing left comes back later. */
  #receiveTake(link: SessionLink, received: number): void {
    const waitMs = this.#options.meter.take(this.principal, PRICES.answer, 'take')
    if (this.#takes.take() || waitMs === 0) return this.takeOver(link, received)
    this.end(tooMuchWork(waitMs).reason)
  }

  /**
   * Repeats nothing for a principal without a budget: what it lacks is repeated later without its asking (S2). All that is unacknowledged
   * is charged, since to sum up the bytes behind a number takes longer than the question.
   */
  #answerGap(link: SessionLink, expected: number): void {
    this.#requireSent(expected)
    if (this.#takeWork(repeatUnits(this.#unacknowledged.bytes), 'repeat')) this.#repeat(link, expected)
  }

  #receiveRequest(message: RequestMessage): void {
    const requests = (this.#requests ??= this.#createRequestHandler())
    const waitMs = this.#options.meter.take(this.principal, PRICES.request, 'request')
    if (waitMs === 0) requests.receive(message)
    else requests.refuse(message.id, tooMuchWork(waitMs).reason)
  }

  /** Called every `rhythm.checkMs` (S7). */
  check(): void {
    this.#onProgress()
    const verdict = this.#current ? this.#liveness.check(realClock.now()) : 'fine'
    if (verdict === 'ask') this.#ping()
    if (verdict === 'dead')
      this.#current?.close({ code: 'timeout', detail: serverRefusalsStrings.link.noPong })
    if (this.#current) this.#checkForLostMessage(this.#current)
  }

  #ping(): void {
    this.#sender.sendUnnumbered(encodeServerMessage({ type: 'ping', token: ++this.#pingToken }))
  }

  #checkForLostMessage(link: SessionLink): void {
    const oldest = this.#sender.outbox.oldest
    const verdict = this.#lostMessages.check(oldest)
    if (verdict === 'ask') {
      this.#ping()
      this.#lostMessages.onPing(this.#pingToken)
    }
    if (verdict === 'repeat' && oldest !== undefined) this.#repeat(link, oldest)
  }

  /** Ends the session, not just a link: its presence goes at once. */
  end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    if (reason.code === 'overloaded') incrementCount(this.#options.counts.refusals, reason.code)
    this.#cancelHide()
    this.#requests?.abort()
    for (const channel of this.#channels.values()) channel.leave()
    this.#sender.flush()
    for (const message of this.#sender.outbox.restart()) this.#release(message)
    this.#unacknowledged.close()
    this.#sender.stop()
    for (const link of this.#links) link.close(reason)
    this.#options.onEnded(this)
  }

  /** The client closes the old link when it receives `drained`; a link that no longer delivers is closed after a while. */
  #drainLink(link: SessionLink): void {
    link.send([encodeServerMessage({ type: 'drained' })])
    realClock.after(DRAINED_LINK_MS, () => link.close({ code: 'drained' }))
  }

  #createRequestHandler(): SessionRequestHandler {
    const { respond, log } = this.#options
    return new SessionRequestHandler({
      principal: this.principal,
      respond,
      send: (response) => this.#sender.sendUnnumbered(encodeServerMessage(response)),
      onFailed: (error) => log.error({ session: this.id, err: error }, 'a request could not be answered'),
    })
  }

  #receiveNumbered(
    link: SessionLink,
    message: Extract<ClientMessage, { number: number; channel: number }>,
  ): void {
    const turn = this.#inbox.receive(message.number)
    this.#sender.oweAcknowledgement()
    if (turn === 'gap') {
      return link.answer({ type: 'gap', expected: this.#inbox.received + 1 })
    }
    if (turn === 'repeat') return
    switch (message.type) {
      case 'attach':
        return this.#attach(message)
      case 'detach':
        this.#channels.get(message.channel)?.leave()
        return void this.#channels.delete(message.channel)
      case 'edit':
        return this.#receiveEdit(message)
    }
  }

  #attach(message: AttachMessage): void {
    const { counts } = this.#options
    if (message.cause !== 'opening') incrementCount(counts.resyncs, message.cause)
    const existing = this.#channels.get(message.channel)
    const resynced = existing?.resync(message)
    if (resynced) return this.#endOnFailure(resynced)
    existing?.leave()
    this.#channels.delete(message.channel)
    if ([...this.#channels.values()].some((other) => other.isFor(message)))
      throw new ProtocolError('bad-message', serverRefusalsStrings.session.openTwice)
    if (this.#channels.size >= MAX_CHANNELS) {
      throw new ProtocolError('bad-message', serverRefusalsStrings.session.manyDocuments(MAX_CHANNELS))
    }
    const acceptsPresence = () =>
      (this.#current?.hasCapacity ?? false) && this.#sender.unnumberedBytes <= MAX_PRESENCE_BACKLOG_BYTES
    const channel = new ServerChannel(message, {
      rooms: this.#options.rooms,
      principal: this.principal,
      session: this.id,
      send: (createMessage) => this.#send('answer', createMessage),
      sendState: (createMessage, onAcknowledged) => this.#send('state', createMessage, onAcknowledged),
      sendChange: (updates, id) => this.#sendChange(updates, id),
      get acceptsPresence() {
        return acceptsPresence()
      },
      budget: this.#options.stateBudget,
      meter: this.#options.meter,
      counts,
      sendUnnumbered: (unnumbered) => this.#sender.sendUnnumbered(encodeServerMessage(unnumbered)),
      onBadInput: (reason) => this.end(reason),
    })
    this.#channels.set(message.channel, channel)
    this.#endOnFailure(channel.join(message))
  }

  /** Compares only while nothing is on its way to the client, or the two states could differ without an error. */
  #compareDigest({ channel: id, digest }: DigestMessage): void {
    const channel = this.#channels.get(id)
    if (channel && this.#unacknowledged.bytes === 0) this.#endOnFailure(channel.compareDigest(digest))
  }

  #receiveEdit({ channel: id, update, number }: EditMessage): void {
    const channel = this.#channels.get(id)
    if (!channel) throw new ProtocolError('bad-message', serverRefusalsStrings.session.neverAttached(id))
    this.#endOnFailure(channel.receiveEdit(update, number))
  }

  #endOnFailure(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof ProtocolError) return this.end(error.reason)
      this.#options.log.error({ session: this.id, err: error }, 'session failed')
      this.end({ code: 'overloaded', detail: serverRefusalsStrings.session.serverError, retryAfterMs: 1_000 })
    })
  }

  #send(
    kind: UnacknowledgedKind,
    createMessage: (number: number) => ServerMessage,
    onAcknowledged?: () => void,
  ): void {
    this.#sendEncoded(kind, (number) => encodeServerMessage(createMessage(number)), onAcknowledged)
  }

  #sendEncoded(
    kind: UnacknowledgedKind,
    encode: (number: number) => EncodedMessage,
    onAcknowledged = doNothing,
    shared: SharedByteHolders | null = null,
  ): void {
    if (this.#ended) return onAcknowledged()
    const message = this.#sender.send((number) => ({
      number,
      kind,
      bytes: encode(number),
      shared,
      onAcknowledged,
    }))
    this.#unacknowledged.add(message)
    const isOver = this.#current
      ? this.#unacknowledged.isOverLimit
      : this.#unacknowledged.isOverLimitWithoutLink // a state that had to wait
    if (!isOver) return
    // A client that acknowledges nothing gets a new session and exchanges state vectors; nothing is kept for it here (S3).
    this.end({ code: 'overloaded', detail: serverRefusalsStrings.session.tooSlow })
  }

  #sendChange(updates: SharedUpdates, channel: number): boolean {
    if (!this.#unacknowledged.hasRoomFor(updates.length)) {
      this.#options.counts.lags += 1
      return false
    }
    this.#sendEncoded(
      'change',
      (number) => new SharedChange(number, channel, updates),
      doNothing,
      updates.holders,
    )
    return true
  }

  /** Called when a message is acknowledged, or will never be sent again. */
  #release(message: OutboxMessage): void {
    this.#unacknowledged.subtract(message)
    message.onAcknowledged()
  }

  /** Called when messages may have reached the client. */
  #onProgress(): void {
    const caughtUp = this.#unacknowledged.isCaughtUp
    for (const channel of this.#channels.values()) {
      const work = caughtUp || !channel.isLagging ? channel.onProgress() : null
      if (work) this.#endOnFailure(work)
    }
  }

  /** Repeats messages from the number that the client expects. */
  #repeat(link: SessionLink, expected: number): void {
    link.sentUpTo = expected - 1
    this.#sender.flushSoon()
  }

  /** @throws {ProtocolError} for the number of a message that was never sent. */
  #requireSent(expected: number): void {
    const { last } = this.#sender.outbox
    if (expected < 1 || expected > last + 1)
      throw new ProtocolError('bad-message', serverRefusalsStrings.session.gap(expected, last))
  }

  #acknowledge(number: number): void {
    const { last } = this.#sender.outbox
    if (number > last)
      throw new ProtocolError('bad-message', serverRefusalsStrings.session.badAcknowledgement(number, last))
    for (const message of this.#sender.outbox.releaseUpTo(number)) this.#release(message)
    this.#onProgress()
  }
}

/** Microseconds since 1970. They never jump, as the system's clock may: only differences count (L2). */
const microsNow = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)
