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
export const MAX_SESSION_PRESENCE_HEARD: Rate = { atOnce: 5_000, perSecond: 2_000 }

/** What waits goes together, so that a flooded room wakes 50 times a second at most. */
const LATE_MS = 20

interface SessionRates {
  readonly told: RateLimit
  readonly heard: RateLimit
}

export class PresencePace<Session extends object> {
  readonly #tell: (session: Session) => void
  readonly #clock: Clock
  readonly #room: RateLimit
  readonly #rates = new WeakMap<Session, SessionRates>()
  /** Whose newest state is to be told, in the order in which they first waited. */
  readonly #waiting = new Set<Session>()
  /** While the room is over its rate everybody waits for their turn, so that no session takes what the others wait for. */
  #isShort = false
  #cancel: (() => void) | null = null

  /** @param tell What a session waited with, at most once for each time that it waited. */
  constructor(tell: (session: Session) => void, clock = realClock) {
    this.#tell = tell
    this.#clock = clock
    this.#room = new RateLimit(MAX_ROOM_PRESENCE, clock)
  }

  /** Counts a message. @throws {RoomRefusal} when the session floods. */
  heard(session: Session): void {
    if (this.#ratesOf(session).heard.take()) return
    const detail = strings.presence.many(MAX_SESSION_PRESENCE_HEARD.perSecond)
    throw new RoomRefusal({ code: 'bad-message', detail })
  }

  /** True: its news may be told now. False: `tell` is called for it later. */
  mayTell(session: Session): boolean {
    if (this.#waiting.has(session)) return false
    if (!this.#isShort && this.#take(session)) return true
    this.#waiting.add(session)
    this.#wake()
    return false
  }

  forget(session: Session): void {
    this.#waiting.delete(session)
  }

  stop(): void {
    this.#waiting.clear()
    this.#cancel?.()
    this.#cancel = null
  }

  #take(session: Session): boolean {
    const { told } = this.#ratesOf(session)
    if (told.waitMs() > 0) return false
    this.#isShort = !this.#room.take()
    return !this.#isShort && told.take()
  }

  #wake(): void {
    this.#cancel ??= this.#clock.after(LATE_MS, () => {
      this.#cancel = null
      this.#tellWaiting()
      if (this.#waiting.size > 0) this.#wake()
    })
  }

  #tellWaiting(): void {
    this.#isShort = false
    for (const session of this.#waiting) {
      const mayTell = this.#take(session)
      if (this.#isShort) return
      if (!mayTell) continue
      this.#waiting.delete(session)
      this.#tell(session)
    }
  }

  #ratesOf(session: Session): SessionRates {
    const known = this.#rates.get(session)
    if (known) return known
    const rates = {
      told: new RateLimit(MAX_SESSION_PRESENCE, this.#clock),
      heard: new RateLimit(MAX_SESSION_PRESENCE_HEARD, this.#clock),
    }
    this.#rates.set(session, rates)
    return rates
  }
}
