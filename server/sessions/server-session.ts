/**
 * The server's side of a session: takes numbered messages in order and exactly once (S1), repeats its own until they are
 * confirmed (S2), outlives its links for a while (S3), and speaks on the link that last took over (S4).
 */
import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { Attach, EditMessage } from '../../lib/protocol/channel.ts'
import type { Digest } from '../../lib/protocol/health.ts'
import type { ClientMessage, ServerMessage } from '../../lib/protocol/message.ts'
import { encodeServerMessage } from '../../lib/protocol/message.ts'
import type { Encoded } from '../../lib/protocol/envelope.ts'
import { type Holders, SharedChange, type SharedUpdates } from '../../lib/protocol/shared.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { Liveness } from '../../lib/session/liveness.ts'
import { Inbox, type Numbered } from '../../lib/session/numbering.ts'
import { Speaker } from '../../lib/session/speaker.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type Counts, countUnder } from '../metrics/counts.ts'
import { type Rate, RateLimit } from '../rate-limit.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { type Answering, Asks } from './asks.ts'
import type { Debt, Debts } from './debts.ts'
import { LastWord } from './last-word.ts'
import { FREE_BYTES, type LinkSeat } from './link-seat.ts'
import { ServerChannel } from './server-channel.ts'
import type { StateBudget } from './state-budget.ts'
import { type Kind, Unconfirmed } from './unconfirmed.ts'

/** Long enough that `saved` nearly always goes first and carries it along. */
const CONFIRM_MS = 25
const MAX_CHANNELS = 100
const RELIEVED_MS = 10_000
/** A window stamps each frame of edits, answers every 100 ms and asks every 5 s; the rest is for measurements of fast typing. */
const MAX_TRACES: Rate = { atOnce: 200, perSecond: 100 }
/** W7 says goodbye within 2 s of a link's known end; a reload or a switch comes back sooner. */
const HIDE_MS = 1_500

const nothing = (): void => {}

/** What an entry of the outbox costs beside the bytes of its message: most have ten. */
const ENTRY_COST_BYTES = 128

interface Said extends Numbered {
  readonly kind: Kind
  /** Others hear the same bytes. */
  readonly shared: Holders | null
  confirmed(): void
}

export interface SessionParts {
  readonly id: string
  readonly secret: string
  readonly principal: Principal
  readonly rooms: Rooms
  readonly log: Logger
  readonly budget: StateBudget
  readonly counts: Counts
  readonly debts: Debts
  /** Of questions that are about no document. */
  readonly answering: Answering
  /** S6: less than it is, in tests. */
  readonly maxLagBytes?: number
  onEnded(session: ServerSession): void
}

export class ServerSession {
  readonly id: string
  readonly secret: string
  readonly principal: Principal
  readonly #parts: SessionParts
  readonly #inbox = new Inbox()
  readonly #channels = new Map<number, ServerChannel>()
  readonly #seats = new Set<LinkSeat>()
  readonly #speaker = new Speaker<Said>({
    clock: realClock,
    confirmWithinMs: CONFIRM_MS,
    confirmation: () => encodeServerMessage({ type: 'received', number: this.#inbox.received }),
  })
  #liveness = new Liveness(realClock.now())
  #current: LinkSeat | null = null
  #pingToken = 0
  readonly #lastWord = new LastWord()
  #asks: Asks | undefined
  readonly #traces = new RateLimit(MAX_TRACES, realClock)
  readonly #unconfirmed: Unconfirmed
  readonly #debt: Debt
  #cancelHide = () => {}
  #ended = false
  /** Since when it has no link, null while it has one. */
  linklessSince: number | null = null

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.id = parts.id
    this.secret = parts.secret
    this.principal = parts.principal
    this.#unconfirmed = new Unconfirmed(parts.maxLagBytes)
    this.#debt = parts.debts.open(parts.principal.id, (reason) => this.end(reason))
  }

  get received(): number {
    return this.#inbox.received
  }

  /** Edits taken but not answered. */
  get inFlight(): number {
    return [...this.#channels.values()].reduce((sum, { inFlight }) => sum + inFlight, 0)
  }

  /** A2: the id alone opens nothing, and nobody else's secret does either. */
  opensFor(principal: Principal, secret: string): boolean {
    const given = Buffer.from(secret)
    const own = Buffer.from(this.secret)
    return principal.id === this.principal.id && given.length === own.length && timingSafeEqual(given, own)
  }

  /** A link that may bring messages; it becomes the one that is spoken on by `take`. */
  seat(seat: LinkSeat): void {
    this.#seats.add(seat)
  }

  /** @param received The client's confirmation: all behind it is repeated on this link (S2). */
  take(seat: LinkSeat, received: number): void {
    this.#confirm(received)
    if (seat === this.#current) return // a POST that the network delivered twice
    const before = this.#current
    this.#current = seat
    this.linklessSince = null
    this.#cancelHide()
    this.#liveness = new Liveness(realClock.now())
    this.#lastWord.restart()
    seat.sentUpTo = received
    this.#speaker.speakOn(seat)
    if (before) this.#relieve(before)
    for (const channel of this.#channels.values()) channel.onLink()
  }

  unseat(seat: LinkSeat): void {
    this.#seats.delete(seat)
    if (this.#current !== seat || this.#ended) return
    if (this.#unconfirmed.isTooMuchWithoutLink) return this.end({ code: 'overloaded' })
    this.#current = null
    this.#speaker.speakOn(null)
    this.linklessSince = realClock.now()
    this.#cancelHide = realClock.after(HIDE_MS, () => {
      for (const channel of this.#channels.values()) channel.hidePresence()
    })
  }

  /** Anything at all, be it a piece of a long message. */
  heard(): void {
    this.#liveness.heard(realClock.now())
  }

  /** @throws {ProtocolError} */
  hear(seat: LinkSeat, message: ClientMessage): void {
    if (this.#ended) return // what stands behind the `bye` in the same frame
    switch (message.type) {
      case 'hello': // a POST that the network delivered twice
        return
      case 'take':
        return this.take(seat, message.received)
      case 'received':
        return this.#confirm(message.number)
      case 'gap':
        return this.#repeat(seat, message.expected)
      case 'ping':
        return seat.send([encodeServerMessage({ type: 'pong', token: message.token })])
      case 'pong':
        return this.#lastWord.pong(message.token)
      case 'bye':
        return this.end({ code: 'done' })
      case 'presence':
        return this.#channels.get(message.channel)?.presence(message.update)
      case 'caret':
        return this.#channels.get(message.channel)?.caret(message.cursor)
      case 'trace':
        if (this.#traces.take()) this.#channels.get(message.channel)?.trace(message.client, message.bytes)
        return
      case 'clock':
        return seat.send([encodeServerMessage({ type: 'clock', token: message.token, micros: microsNow() })])
      case 'digest':
        return this.#compare(message)
      case 'ask':
        return (this.#asks ??= this.#createAsks()).hear(message)
      default:
        return this.#hearNumbered(seat, message)
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
    this.#speaker.sayOnce(encodeServerMessage({ type: 'ping', token: ++this.#pingToken }))
  }

  #doubtLastWord(seat: LinkSeat): void {
    const oldest = this.#speaker.outbox.oldest
    const verdict = this.#lastWord.check(oldest)
    if (verdict === 'ask') {
      this.#ping()
      this.#lastWord.asked(this.#pingToken)
    }
    if (verdict === 'repeat' && oldest !== undefined) this.#repeat(seat, oldest)
  }

  /** The end of the session, not of a link: its presence goes at once. */
  end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancelHide()
    this.#asks?.end()
    for (const channel of this.#channels.values()) channel.leave()
    this.#speaker.flush()
    for (const said of this.#speaker.outbox.restart()) this.#letGo(said)
    this.#debt.close()
    this.#speaker.stop()
    for (const seat of this.#seats) seat.close(reason)
    this.#parts.onEnded(this)
  }

  /** Its client closes it when it hears that; one that hears nothing any more must not stay. */
  #relieve(seat: LinkSeat): void {
    seat.send([encodeServerMessage({ type: 'drained' })])
    realClock.after(RELIEVED_MS, () => seat.close({ code: 'drained' }))
  }

  #createAsks(): Asks {
    const { answering, log } = this.#parts
    return new Asks({
      principal: this.principal,
      answering,
      say: (answer) => this.#speaker.sayOnce(encodeServerMessage(answer)),
      onFailed: (error) => log.error({ session: this.id, err: error }, 'a question could not be answered'),
    })
  }

  #hearNumbered(seat: LinkSeat, message: Extract<ClientMessage, { number: number; channel: number }>): void {
    const turn = this.#inbox.turnOf(message.number)
    this.#speaker.oweConfirmation()
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

  #attach(message: Attach): void {
    const { counts } = this.#parts
    if (message.cause !== 'opening') countUnder(counts.resyncs, message.cause)
    const before = this.#channels.get(message.channel)
    const again = before?.resync(message)
    if (again) return this.#guard(again)
    before?.leave()
    this.#channels.delete(message.channel)
    if ([...this.#channels.values()].some((other) => other.isOf(message)))
      throw new ProtocolError('bad-message', strings.session.openTwice)
    if (this.#channels.size >= MAX_CHANNELS) {
      throw new ProtocolError('bad-message', strings.session.manyDocuments(MAX_CHANNELS))
    }
    const takesPresence = () => (this.#current?.isFree ?? false) && this.#speaker.onceBytes <= FREE_BYTES
    const channel = new ServerChannel(message, {
      rooms: this.#parts.rooms,
      principal: this.principal,
      session: this.id,
      say: (make) => this.#say('answer', make),
      sayState: (make, confirmed) => this.#say('state', make, confirmed),
      sayChange: (updates, of) => this.#sayChange(updates, of),
      get takesPresence() {
        return takesPresence()
      },
      budget: this.#parts.budget,
      counts,
      sayOnce: (said) => this.#speaker.sayOnce(encodeServerMessage(said)),
      onBadInput: (reason) => this.end(reason),
    })
    this.#channels.set(message.channel, channel)
    this.#guard(channel.join(message))
  }

  /** With anything on its way to the client the answer would say nothing. */
  #compare({ channel: id, digest }: Digest): void {
    const channel = this.#channels.get(id)
    if (channel && this.#unconfirmed.bytes === 0) this.#guard(channel.compare(digest))
  }

  #edit({ channel: id, update, number }: EditMessage): void {
    const channel = this.#channels.get(id)
    if (!channel) throw new ProtocolError('bad-message', strings.session.neverAttached(id))
    this.#guard(channel.edit(update, number))
  }

  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof ProtocolError) return this.end(error.reason)
      this.#parts.log.error({ session: this.id, err: error }, 'session failed')
      this.end({ code: 'overloaded', detail: strings.session.mistake, retryAfterMs: 1_000 })
    })
  }

  #say(kind: Kind, make: (number: number) => ServerMessage, confirmed?: () => void): void {
    this.#sayEncoded(kind, (number) => encodeServerMessage(make(number)), confirmed)
  }

  #sayEncoded(
    kind: Kind,
    encode: (number: number) => Encoded,
    confirmed = nothing,
    shared: Holders | null = null,
  ): void {
    if (this.#ended) return confirmed()
    const said = this.#speaker.say((number) => ({ number, kind, bytes: encode(number), shared, confirmed }))
    this.#unconfirmed.said(kind, said.bytes.length)
    this.#charge(said)
    if (!this.#unconfirmed.isTooMuch) return
    // Whoever confirms nothing exchanges state vectors on a new session; nothing is kept for it here (S3).
    this.end({ code: 'overloaded', detail: strings.session.lags })
  }

  #sayChange(updates: SharedUpdates, channel: number): boolean {
    if (!this.#unconfirmed.hasRoomFor(updates.length)) {
      this.#parts.counts.lags += 1
      return false
    }
    this.#sayEncoded(
      'change',
      (number) => new SharedChange(number, channel, updates),
      nothing,
      updates.holders,
    )
    return true
  }

  #charge({ shared, bytes }: Said): void {
    if (shared) this.#debt.chargeShared(shared)
    this.#debt.charge(ENTRY_COST_BYTES + (shared ? 0 : bytes.length))
  }

  /** Confirmed, or never to be said again. */
  #letGo({ kind, shared, bytes, confirmed }: Said): void {
    this.#unconfirmed.confirmed(kind, bytes.length)
    if (shared) this.#debt.releaseShared(shared)
    this.#debt.release(ENTRY_COST_BYTES + (shared ? 0 : bytes.length))
    confirmed()
  }

  /** Something has come through. */
  #onProgress(): void {
    const caughtUp = this.#unconfirmed.isCaughtUp
    for (const channel of this.#channels.values()) {
      const work = caughtUp || !channel.lags ? channel.onProgress() : null
      if (work) this.#guard(work)
    }
  }

  /** The client says from where. */
  #repeat(seat: LinkSeat, expected: number): void {
    const { last } = this.#speaker.outbox
    if (expected < 1 || expected > last + 1)
      throw new ProtocolError('bad-message', strings.session.gap(expected, last))
    seat.sentUpTo = expected - 1
    this.#speaker.flushSoon()
  }

  #confirm(number: number): void {
    const { last } = this.#speaker.outbox
    if (number > last) throw new ProtocolError('bad-message', strings.session.confirmation(number, last))
    for (const said of this.#speaker.outbox.releaseUpTo(number)) this.#letGo(said)
    this.#onProgress()
  }
}

/** Since 1970. It never leaps, as the system's clock may: only differences count (L2). */
const microsNow = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)
