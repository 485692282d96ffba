/**
 * Limits by address and by person (A6) what costs disk or processor time before the caller is identified. A request with an
 * existing session does not count as new. It knows counts and addresses; it does not know what a refusal looks like on the wire.
 */
import type { Clock } from '../../lib/session/clock.ts'
import { realClock } from '../../lib/session/clock.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import type { Config } from '../config.ts'
import { RateLimits } from '../rate-limit.ts'
import type { AccessRequest, AccessRefusal } from './access.ts'
import { createClientAddressOf } from './client-address.ts'
import type { Principal } from './principal.ts'

type RateLimitSettings = Pick<
  Config,
  | 'trustedProxies'
  | 'limitNewGuests'
  | 'limitNewDocuments'
  | 'limitDocumentsOfPerson'
  | 'limitGuesses'
  | 'limitConnections'
>

/** Each method returns null and counts the request, or returns a refusal (429) that says what there was too much of and when to retry. */
export interface AccessRateLimits {
  takeNewGuest(request: AccessRequest): AccessRefusal | null
  /**
   * @param bytes The length of the text that the new document starts with and nobody had to send: each MiB counts as one more
   * document for later calls.
   */
  takeNewDocument(request: AccessRequest, principal: Principal, bytes?: number): AccessRefusal | null
  /** Where a request came from, as a key for limits. */
  addressOf(request: AccessRequest): string
  /** Counts a link that a window opens. */
  takeLink(request: AccessRequest): AccessRefusal | null
  /**
   * Checks before a secret is looked up whether too many guesses were wrong lately; counts nothing. An identified caller has their
   * own count, so that a stranger at the same address does not use it up.
   */
  checkGuessLimit(request: AccessRequest, principal?: Principal): AccessRefusal | null
  /** Counts a wrong secret. */
  countWrongGuess(request: AccessRequest, principal?: Principal): void
}

/** Has several nodes take from one bucket. @param name The same on every node. */
export type LimitSharing = (name: string, limits: RateLimits) => RateLimits

const MIB = 2 ** 20

export function createAccessRateLimits(
  settings: RateLimitSettings,
  clock: Pick<Clock, 'now'> = realClock,
  share: LimitSharing = (_name, limits) => limits,
): AccessRateLimits {
  const addressOf = createClientAddressOf(settings.trustedProxies)
  const guestLimits = share('new guests', new RateLimits(settings.limitNewGuests, clock))
  const documentLimits = share('new documents', new RateLimits(settings.limitNewDocuments, clock))
  const personDocumentLimits = share(
    'documents of a person',
    new RateLimits(settings.limitDocumentsOfPerson, clock),
  )
  const linkLimits = share('links', new RateLimits(settings.limitConnections, clock))
  const guessLimits = share('guesses', new RateLimits(settings.limitGuesses, clock))

  /** Everybody with the same share link is the same principal, so their guesses count by address. */
  const guessLimitKeyOf = (request: AccessRequest, principal?: Principal): string =>
    principal && principal.token === undefined ? principal.id : addressOf(request)

  return {
    addressOf,
    takeNewGuest: (request) => refusalFor(guestLimits.take(addressOf(request)), apiStrings.tooFast.newGuests),

    takeNewDocument(request, { id }, bytes = 0) {
      const personWaitMs = personDocumentLimits.take(id)
      if (personWaitMs > 0) return refusalFor(personWaitMs, apiStrings.tooFast.documentsOfPerson)
      const addressWaitMs = documentLimits.take(addressOf(request))
      if (addressWaitMs === 0) {
        personDocumentLimits.charge(id, Math.floor(bytes / MIB))
        documentLimits.charge(addressOf(request), Math.floor(bytes / MIB))
      }
      return refusalFor(addressWaitMs, apiStrings.tooFast.newDocuments)
    },

    takeLink: (request) => refusalFor(linkLimits.take(addressOf(request)), apiStrings.tooFast.connections),

    checkGuessLimit(request, principal) {
      return refusalFor(guessLimits.waitMs(guessLimitKeyOf(request, principal)), apiStrings.tooFast.guesses)
    },

    countWrongGuess(request, principal) {
      guessLimits.take(guessLimitKeyOf(request, principal))
    },
  }
}

/** Writes the wait in whole seconds, as Retry-After does. */
function refusalFor(waitMs: number, messageOf: (seconds: number) => string): AccessRefusal | null {
  if (waitMs <= 0) return null
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  return { status: 429, code: 'too-many', message: messageOf(retryAfterS), retryAfterS }
}
