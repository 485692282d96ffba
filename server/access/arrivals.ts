/**
 * Rate limits by address and by person (A6), for what costs disk or processor time before anybody is known. A request with a
 * session that exists is not counted as new. Knows counts and addresses; does not know what a refusal looks like on the wire.
 */
import type { Clock } from '../../lib/session/clock.ts'
import { realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/api.ts'
import type { Config } from '../config.ts'
import { RateLimits } from '../rate-limit.ts'
import type { DoorRequest, Refusal } from './access.ts'
import { createAddressOf } from './peer-address.ts'
import type { Principal } from './principal.ts'

type Settings = Pick<
  Config,
  | 'trustedProxies'
  | 'limitNewGuests'
  | 'limitNewDocuments'
  | 'limitDocumentsOfPerson'
  | 'limitGuesses'
  | 'limitConnections'
>

/** Each answers null and counts what came, or a refusal (429) that says what there was too much of, and when to come again. */
export interface Arrivals {
  newGuest(request: DoorRequest): Refusal | null
  /** @param bytes Of text that it begins with and nobody had to send: each MiB counts as one more, for the next one. */
  newDocument(request: DoorRequest, by: Principal, bytes?: number): Refusal | null
  /** A window opens a link. */
  link(request: DoorRequest): Refusal | null
  /**
   * Before a secret is looked up: whether so many were wrong lately that it is not. Counts nothing. Who is known has a count of
   * their own, so that a stranger at the same address does not use theirs up.
   */
  mayGuess(request: DoorRequest, by?: Principal): Refusal | null
  /** The secret was wrong. */
  guessed(request: DoorRequest, by?: Principal): void
}

const MIB = 2 ** 20

export function createArrivals(settings: Settings, clock: Pick<Clock, 'now'> = realClock): Arrivals {
  const addressOf = createAddressOf(settings.trustedProxies)
  const guests = new RateLimits(settings.limitNewGuests, clock)
  const documents = new RateLimits(settings.limitNewDocuments, clock)
  const documentsOfPerson = new RateLimits(settings.limitDocumentsOfPerson, clock)
  const links = new RateLimits(settings.limitConnections, clock)
  const guesses = new RateLimits(settings.limitGuesses, clock)

  /** Everybody with the same link is the same principal. */
  const guesserOf = (request: DoorRequest, by?: Principal): string =>
    by && by.token === undefined ? by.id : addressOf(request)

  return {
    newGuest: (request) => refusalFor(guests.take(addressOf(request)), strings.tooFast.newGuests),

    newDocument(request, { id }, bytes = 0) {
      const own = documentsOfPerson.take(id)
      if (own > 0) return refusalFor(own, strings.tooFast.documentsOfPerson)
      const wait = documents.take(addressOf(request))
      if (wait === 0) {
        documentsOfPerson.charge(id, Math.floor(bytes / MIB))
        documents.charge(addressOf(request), Math.floor(bytes / MIB))
      }
      return refusalFor(wait, strings.tooFast.newDocuments)
    },

    link: (request) => refusalFor(links.take(addressOf(request)), strings.tooFast.connections),

    mayGuess(request, by) {
      return refusalFor(guesses.waitMs(guesserOf(request, by)), strings.tooFast.guesses)
    },

    guessed(request, by) {
      guesses.take(guesserOf(request, by))
    },
  }
}

/** In whole seconds, as Retry-After counts. */
function refusalFor(waitMs: number, messageOf: (seconds: number) => string): Refusal | null {
  if (waitMs <= 0) return null
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  return { status: 429, code: 'too-many', message: messageOf(retryAfterS), retryAfterS }
}
