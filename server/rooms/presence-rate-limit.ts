/**
 * How often a room tells presence (W8): by session and by room. What is over a rate is not lost and no error: it is told late, as the
 * newest state by then. Only a session that floods is sent away. Knows time and sessions; does not know what is told.
 */
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { type Rate, RateLimit } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** A key held down moves a caret 30 times a second, a mouse that selects 60 times, and a followed window tells 10 views. */
export const MAX_SESSION_PRESENCE: Rate = { atOnce: 200, perSecond: 100 }
/** 200 people whose carets all move at once, and 500 moves a second after that: each is told to everybody. */
export const MAX_ROOM_PRESENCE: Rate = { atOnce: 2_000, perSecond: 500 }
/** A stock client repeats what it hears of others; who says more than that floods. */
export const MAX_SESSION_PRESENCE_RECEIVED: Rate = { atOnce: 5_000, perSecond: 2_000 }

/** What waits goes together, so that a flooded room wakes 50 times a second at most. */
const DELAY_MS = 20

interface SessionRateLimits {
  readonly broadcast: RateLimit
  readonly received: RateLimit
}

export class PresenceRateLimit<Session extends object> {
  readonly #broadcast: (session: Session) => void
  readonly #clock: Clock
  readonly #room: RateLimit
  readonly #rates = new WeakMap<Session, SessionRateLimits>()
  /** Whose newest state is to be told, in the order in which they first waited. */
  readonly #waiting = new Set<Session>()
  /** While the room is over its rate everybody waits for their turn, so that no session takes what the others wait for. */
  #isRoomExhausted = false
  #cancelTimer: (() => void) | null = null

  /** @param broadcast What a session waited with, at most once for each time that it waited. */
  constructor(broadcast: (session: Session) => void, clock = realClock) {
    this.#broadcast = broadcast
    this.#clock = clock
    this.#room = new RateLimit(MAX_ROOM_PRESENCE, clock)
  }

  /** Counts a message. @throws {RoomRefusal} when the session floods. */
  countReceived(session: Session): void {
    if (this.#ratesOf(session).received.take()) return
    const detail = strings.presence.many(MAX_SESSION_PRESENCE_RECEIVED.perSecond)
    throw new RoomRefusal({ code: 'bad-message', detail })
  }

  /** True: its news may be told now. False: `tell` is called for it later. */
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
    if (broadcast.waitMs() > 0) return false
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
      const mayTell = this.#takeTokens(session)
      if (this.#isRoomExhausted) return
      if (!mayTell) continue
      this.#waiting.delete(session)
      this.#broadcast(session)
    }
  }

  #ratesOf(session: Session): SessionRateLimits {
    const known = this.#rates.get(session)
    if (known) return known
    const rates = {
      broadcast: new RateLimit(MAX_SESSION_PRESENCE, this.#clock),
      received: new RateLimit(MAX_SESSION_PRESENCE_RECEIVED, this.#clock),
    }
    this.#rates.set(session, rates)
    return rates
  }
}
