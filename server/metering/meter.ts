/**
 * Meters all work that somebody causes, in units of about a microsecond (prices.ts): messages, states, requests of the API, costly edits.
 * They draw from the same token buckets: the principal's, its address's and, for an edit, its document's.
 *
 *   work ─▶ is something left in each bucket? ─▶ it is charged and done; what a bucket lacks becomes a debt
 *                    └─▶ no: refused with the time until a retry (`take`, `admit`), or it waits for its turn (`spend`)
 *
 * An address and a document are shared with strangers. While their bucket is empty, whoever has caused little work lately still goes on,
 * until they owe a whole bucket: a stranger locks nobody out, and many of them together are bounded. Everybody who comes by a link's token
 * is one principal, so they have their address's bucket alone. Knows principals and units; does not know what is paid for.
 */
import type { Logger } from 'pino'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { LimitSharing } from '../access/access-rate-limits.ts'
import type { Principal } from '../access/principal.ts'
import { incrementCount } from '../metrics/server-counts.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { nextTurn } from '../rooms/run-steps.ts'
import { PRICES, type WorkKind } from './prices.ts'
import { WaitingWorks } from './waiting-works.ts'

/** In units: a principal may take a tenth of one core, and two seconds of it at once. */
export const WORK_RATE: Rate = { atOnce: 2_000_000, perSecond: 100_000 }

/** What others may take together, and what nobody at an address is kept from, as multiples of what a principal may. */
const ADDRESS_SHARE: Rate = { atOnce: 10, perSecond: 4 }
const DOCUMENT_SHARE: Rate = { atOnce: 2, perSecond: 2 }
const LITTLE_SHARE: Rate = { atOnce: 1 / 10, perSecond: 1 / 50 }
/** 3,333 pages from one address at once, and 66 a second after that: an office of 500 that opens its documents at nine. */
const PAGE_SHARE: Rate = { atOnce: 5, perSecond: 2 }

/**
 * Bytes of edits that a principal may have sent on to readers for nothing: people who type, a crowd by one link too, cause less. A page of
 * text is pasted for nothing, a long text pays for each reader.
 */
const FREE_SENT_ON: Rate = { atOnce: 128 * 1024, perSecond: 16 * 1024 }

/** Whoever is refused waits until this much is in the bucket, or all that fits, and at least MIN_WAIT_MS. */
const MIN_LEFT_UNITS = 1_000
const MIN_WAIT_MS = 1_000
/** Dearer work of one principal is done once a turn of the event loop. */
const LONG_WORK_UNITS = 1_000
/** A wait is looked at again after this, since a window may have left meanwhile. */
const MAX_SLEEP_MS = 1_000
/** A principal at its limit is logged once a minute. */
const LOG_RATE: Rate = { atOnce: 1, perSecond: 1 / 60 }

export type MeteredPrincipal = Pick<Principal, 'id' | 'token' | 'address'>

export interface MeterOptions {
  /** What one principal may take; null for no limit. */
  readonly rate?: Rate | null
  readonly clock?: Pick<Clock, 'now' | 'after'>
  readonly share?: LimitSharing
  /** Counts what was refused or had to wait. */
  readonly refusals?: Map<WorkKind, number>
  readonly log?: Pick<Logger, 'warn'>
}

export interface SpendOptions {
  /** Names whoever waits, a window or a socket: those of one principal, or of one address, take turns. */
  readonly window: string
  /** What is held until it is paid. */
  readonly heldBytes?: number
  /** False: nobody waits for it any more. */
  isWanted?(): boolean
}

export class Meter {
  readonly #rate: Rate | null
  readonly #minLeft: number
  readonly #clock: Pick<Clock, 'now' | 'after'>
  readonly #principals: RateLimits
  /** What a principal may cause though its address or a document has nothing left. */
  readonly #little: RateLimits
  readonly #addresses: RateLimits
  readonly #documents: RateLimits
  readonly #pages: RateLimits
  readonly #freeSentOn: RateLimits
  readonly #refusals: Map<WorkKind, number>
  readonly #log: Pick<Logger, 'warn'> | undefined
  readonly #logLines: RateLimits
  /** By payer. */
  readonly #waiting = new Map<string, WaitingWorks>()
  /** Whose long work was begun in this turn of the event loop. */
  readonly #begun = new Set<string>()

  constructor({
    rate = WORK_RATE,
    clock = realClock,
    share = (_name, limits) => limits,
    refusals = new Map(),
    log,
  }: MeterOptions = {}) {
    const limitsOf = (part: Rate): RateLimits => new RateLimits(rate && shareOf(rate, part), clock)
    this.#rate = rate
    this.#minLeft = Math.min(MIN_LEFT_UNITS, rate?.atOnce ?? MIN_LEFT_UNITS)
    this.#clock = clock
    this.#principals = share('work of principals', new RateLimits(rate, clock))
    this.#little = limitsOf(LITTLE_SHARE)
    this.#addresses = share('work of addresses', limitsOf(ADDRESS_SHARE))
    this.#documents = share('work of documents', limitsOf(DOCUMENT_SHARE))
    this.#pages = share('pages of addresses', limitsOf(PAGE_SHARE))
    this.#freeSentOn = new RateLimits(rate && FREE_SENT_ON, clock)
    this.#refusals = refusals
    this.#log = log
    this.#logLines = new RateLimits(LOG_RATE, clock)
  }

  /** Returns 0 if the principal may go on, otherwise how many milliseconds it has to wait. */
  waitMs(principal: MeteredPrincipal, document?: string): number {
    const { id } = principal
    const isPerson = principal.token === undefined
    const ownMs = isPerson ? this.#principals.waitMs(id, this.#minLeft) : 0
    const hasCausedLittle = isPerson && this.#little.waitMs(id, this.#minLeft) === 0
    const sharedMs = (limits: RateLimits, key: string, { atOnce }: Rate): number =>
      limits.waitMs(key, this.#minLeft - (hasCausedLittle ? atOnce * (this.#rate?.atOnce ?? 0) : 0))
    const addressMs = sharedMs(this.#addresses, addressOf(principal), ADDRESS_SHARE)
    const documentMs = document === undefined ? 0 : sharedMs(this.#documents, document, DOCUMENT_SHARE)
    return Math.max(ownMs, addressMs, documentMs)
  }

  /** A charge beyond what is left becomes a debt, up to one bucket. */
  charge(principal: MeteredPrincipal, units: number, document?: string): void {
    if (units <= 0) return
    if (principal.token === undefined) {
      this.#principals.charge(principal.id, units)
      this.#little.charge(principal.id, units)
    }
    this.#addresses.charge(addressOf(principal), units)
    if (document !== undefined) this.#documents.charge(document, units)
  }

  /** Charges that an edit is sent on to readers, beyond what people who type cause. */
  chargeSentOn(principal: MeteredPrincipal, bytes: number, readers: number): void {
    if (readers > 0 && this.#freeSentOn.take(principal.id, bytes) > 0)
      this.charge(principal, bytes * readers * PRICES.sentByte)
  }

  /** Returns 0 and charges the work, or returns how many milliseconds it has to wait. */
  take(principal: MeteredPrincipal, units: number, kind: WorkKind, document?: string): number {
    const waitMs = this.waitMs(principal, document)
    if (waitMs > 0) this.#onRefused(principal, kind, waitMs)
    else this.charge(principal, units, document)
    return waitMs
  }

  /** The same for a page, which a stranger may ask for: they have a bucket of their own, so that nobody's work waits for pages. */
  takePage(address: string): number {
    const waitMs = this.#pages.take(address, PRICES.page)
    if (waitMs > 0) incrementCount(this.#refusals, 'page')
    return waitMs
  }

  /** @throws {RoomRefusal} `overloaded`, with the time until a retry. */
  admit(principal: MeteredPrincipal, kind: WorkKind, document?: string): void {
    const waitMs = this.take(principal, 0, kind, document)
    if (waitMs > 0) throw tooMuchWork(waitMs)
  }

  /**
   * Waits until the principal may cause the work, and charges it. Its works wait for each other, and long ones are done one a turn.
   * @throws {RoomRefusal} `overloaded` if too many wait already.
   */
  async spend(
    principal: MeteredPrincipal,
    units: number,
    kind: WorkKind,
    { window, heldBytes = 0, isWanted = () => true }: SpendOptions,
  ): Promise<void> {
    const payer = principal.token === undefined ? principal.id : addressOf(principal)
    if (!this.#waiting.has(payer) && !this.#begun.has(payer) && this.waitMs(principal) === 0) {
      if (units > LONG_WORK_UNITS) this.#begin(payer)
      return this.charge(principal, units)
    }
    const waiting = this.#waiting.get(payer) ?? new WaitingWorks()
    if (!waiting.hasRoomFor(window))
      throw tooMuchWork(this.#onRefused(principal, kind, this.waitMs(principal)))
    this.#waiting.set(payer, waiting)
    try {
      await waiting.runInTurn(window, heldBytes, () => this.#spendInTurn(principal, units, kind, isWanted))
    } finally {
      if (waiting.isEmpty) this.#waiting.delete(payer)
    }
  }

  async #spendInTurn(
    principal: MeteredPrincipal,
    units: number,
    kind: WorkKind,
    isWanted: () => boolean,
  ): Promise<void> {
    await nextTurn()
    let waitMs = this.waitMs(principal)
    if (waitMs > 0 && isWanted()) this.#onRefused(principal, kind, waitMs)
    for (; waitMs > 0 && isWanted(); waitMs = this.waitMs(principal))
      await this.#sleep(Math.min(MAX_SLEEP_MS, Math.ceil(waitMs)))
    if (isWanted()) this.charge(principal, units)
  }

  #begin(payer: string): void {
    this.#begun.add(payer)
    setImmediate(() => this.#begun.delete(payer))
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve))
  }

  #onRefused({ id, address }: MeteredPrincipal, kind: WorkKind, waitMs: number): number {
    incrementCount(this.#refusals, kind)
    if (this.#log && this.#logLines.take(id) === 0)
      this.#log.warn(
        { principal: id, address, work: kind, waitMs: Math.ceil(waitMs) },
        'the limit of work is met',
      )
    return waitMs
  }
}

/** Who is not known by anything but an address. */
export const strangerAt = (address: string): MeteredPrincipal => ({ id: address, token: '', address })

const addressOf = ({ id, address = id }: MeteredPrincipal): string => address

const shareOf = (rate: Rate, part: Rate): Rate => ({
  atOnce: rate.atOnce * part.atOnce,
  perSecond: rate.perSecond * part.perSecond,
})

/** @param waitMs As `Meter` returns it. */
export const tooMuchWork = (waitMs: number): RoomRefusal =>
  new RoomRefusal({
    code: 'overloaded',
    detail: serverRefusalsStrings.work.tooMuch,
    retryAfterMs: Math.max(MIN_WAIT_MS, Math.ceil(waitMs)),
  })
