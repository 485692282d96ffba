/**
 * Limits how often a room broadcasts presence (W8), for each session and for the room. Presence over a rate is neither lost nor an
 * error: it is broadcast later, as the newest state by then. Only a session that floods is refused. Knows time and sessions; does
 * not know presence.
 */
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { type Rate, RateLimit } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** A key held down moves a caret 30 times a second, a mouse that selects 60 times, and a followed window sends 10 views. */
export const MAX_SESSION_PRESENCE: Rate = { atOnce: 200, perSecond: 100 }
/** Carets of 200 people that all move at once, and 500 moves a second after that: each is broadcast to everybody. */
export const MAX_ROOM_PRESENCE: Rate = { atOnce: 2_000, perSecond: 500 }
/** A stock client repeats the presence that it receives; a session that sends more than that floods. */
export const MAX_SESSION_PRESENCE_RECEIVED: Rate = { atOnce: 5_000, perSecond: 2_000 }

/** Waiting presence is sent together, so that a flooded room wakes at most 50 times a second. */
const DELAY_MS = 20

export interface PresenceRateLimitOptions<Session> {
  /** Sends a session's newest presence; called at most once each time that the session waited. */
  broadcast(session: Session): void
  /** Returns false while the session has to wait whatever the rates say. */
  mayBroadcast(session: Session): boolean
}

interface SessionRateLimits {
  readonly broadcast: RateLimit
  readonly received: RateLimit
}

export class PresenceRateLimit<Session extends object> {
  readonly #options: PresenceRateLimitOptions<Session>
  readonly #clock: Clock
  readonly #room: RateLimit
  readonly #rates = new WeakMap<Session, SessionRateLimits>()
  /** Sessions whose newest state is to be broadcast, in the order in which they began to wait. */
  readonly #waiting = new Set<Session>()
  /** While the room is over its rate, all sessions wait in order, so that none takes what the others wait for. */
  #isRoomExhausted = false
  #cancelTimer: (() => void) | null = null

  constructor(options: PresenceRateLimitOptions<Session>, clock = realClock) {
    this.#options = options
    this.#clock = clock
    this.#room = new RateLimit(MAX_ROOM_PRESENCE, clock)
  }

  /** Counts a message. @throws {RoomRefusal} if the session floods. */
  countReceived(session: Session): void {
    if (this.#ratesOf(session).received.take()) return
    const detail = serverRefusalsStrings.presence.many(MAX_SESSION_PRESENCE_RECEIVED.perSecond)
    throw new RoomRefusal({ code: 'bad-message', detail })
  }

  /** True: the session's presence may be broadcast now. False: `broadcast` is called for it later. */
  mayBroadcast(session: Session): boolean {
    if (this.#waiting.has(session)) return false
    if (!this.#isRoomExhausted && this.#takeTokens(session)) return true
    this.#waiting.add(session)
    this.#scheduleBroadcast()
    return false
  }

  forget(session: Session): void {
    this.#waiting.delete(session)
  }

  stop(): void {
    this.#waiting.clear()
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #takeTokens(session: Session): boolean {
    const { broadcast } = this.#ratesOf(session)
    if (broadcast.waitMs() > 0 || !this.#options.mayBroadcast(session)) return false
    this.#isRoomExhausted = !this.#room.take()
    return !this.#isRoomExhausted && broadcast.take()
  }

  #scheduleBroadcast(): void {
    this.#cancelTimer ??= this.#clock.after(DELAY_MS, () => {
      this.#cancelTimer = null
      this.#broadcastWaiting()
      if (this.#waiting.size > 0) this.#scheduleBroadcast()
    })
  }

  #broadcastWaiting(): void {
    this.#isRoomExhausted = false
    for (const session of this.#waiting) {
      const mayBroadcast = this.#takeTokens(session)
      if (this.#isRoomExhausted) return
      if (!mayBroadcast) continue
      this.#waiting.delete(session)
      this.#options.broadcast(session)
    }
  }

  #ratesOf(session: Session): SessionRateLimits {
    const existing = this.#rates.get(session)
    if (existing) return existing
    const rates = {
      broadcast: new RateLimit(MAX_SESSION_PRESENCE, this.#clock),
      received: new RateLimit(MAX_SESSION_PRESENCE_RECEIVED, this.#clock),
    }
    this.#rates.set(session, rates)
    return rates
  }
}
