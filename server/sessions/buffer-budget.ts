/**
 * Limits what the server holds for clients: frames that the network has not taken, messages that are not acknowledged, and messages
 * that came only in part. Each principal has a budget, and so has the process. If one is exceeded, its oldest account is evicted: the
 * one whose reader has taken nothing for the longest. The client may reconnect, and state vectors bring what it missed, so nothing is
 * lost.
 *
 *   charge ─▶ over a budget? ─▶ at the end of the turn: evict the oldest, until all fits or nobody is left
 *
 * Knows bytes and principals; does not know sessions, links or documents.
 */
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { SharedByteHolders } from '../../lib/protocol/shared-change.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { MAX_BUFFERED_BYTES, MAX_BUFFERED_BYTES_PER_PRINCIPAL } from '../listener-limits.ts'

/** Smaller accounts are evicted last: that frees little, and nearly every busy window holds this much for a moment. */
const SMALL_ACCOUNT_BYTES = 64 * 1024
/** Keeps an evicted client from reconnecting while the network's buffers are still full of what was sent to it. */
const RETRY_AFTER_MS = 2_000

export interface BufferLimits {
  readonly principalBytes?: number
  readonly processBytes?: number
}

export class BufferBudget {
  readonly #principalBytes: number
  readonly #processBytes: number
  readonly #principals = new Map<string, PrincipalAccount>()
  readonly #total = new ByteTotal()
  #isEvictionScheduled = false
  /** A count that only grows, used as a clock: it shows which of two readers took something last. */
  #latestMoment = 0

  constructor({
    principalBytes = MAX_BUFFERED_BYTES_PER_PRINCIPAL,
    processBytes = MAX_BUFFERED_BYTES,
  }: BufferLimits = {}) {
    this.#principalBytes = principalBytes
    this.#processBytes = processBytes
  }

  /** The bytes of all readers. Bytes that several of them share count once. */
  get bytes(): number {
    return this.#total.bytes
  }

  bytesOf(principal: string): number {
    return this.#principals.get(principal)?.total.bytes ?? 0
  }

  /** @param evict Called at most once, never within `charge`. It reports freed bytes by `release` or `close`, at once or later. */
  openAccount(principal: string, evict: (reason: CloseReason) => void): BufferAccount {
    let account = this.#principals.get(principal)
    if (!account) this.#principals.set(principal, (account = new PrincipalAccount(principal)))
    return new BufferAccount(this, account, evict)
  }

  // Called by accounts.

  nextMoment(): number {
    return ++this.#latestMoment
  }

  add(account: PrincipalAccount, bytes: number): void {
    account.total.bytes += bytes
    this.#total.bytes += bytes
    if (account.total.isOver(this.#principalBytes) || this.#total.isOver(this.#processBytes))
      this.#scheduleEviction()
  }

  /** @param bytes How many an evicted account still holds; negative if they are gone by now. */
  addEvicted(account: PrincipalAccount, bytes: number): void {
    account.total.evictedBytes += bytes
    this.#total.evictedBytes += bytes
  }

  addShared(account: PrincipalAccount, { readers, length }: SharedByteHolders): void {
    const readerCount = readers.get(account) ?? 0
    readers.set(account, readerCount + 1)
    if (readerCount > 0) return
    if (readers.size > 1) this.#total.bytes -= length // it was counted for the first of them
    this.add(account, length)
  }

  releaseShared(account: PrincipalAccount, { readers, length }: SharedByteHolders): void {
    const left = (readers.get(account) ?? 0) - 1
    if (left > 0) return void readers.set(account, left)
    readers.delete(account)
    account.total.bytes -= length
    if (readers.size === 0) this.#total.bytes -= length
  }

  forget(account: PrincipalAccount): void {
    if (account.openAccounts.size === 0) this.#principals.delete(account.principal)
  }

  /** Waits for the turn to end: a room may be in the middle of a broadcast, and an evicted member leaves the room. */
  #scheduleEviction(): void {
    if (this.#isEvictionScheduled) return
    this.#isEvictionScheduled = true
    queueMicrotask(() => {
      this.#isEvictionScheduled = false
      this.#evictUntilAllFits()
    })
  }

  #evictUntilAllFits(): void {
    const accounts = [...this.#principals.values()]
    for (const { total, openAccounts } of accounts)
      evictUntilWithin(
        total,
        this.#principalBytes,
        serverRefusalsStrings.session.principalQueueFull,
        () => openAccounts,
      )
    evictUntilWithin(this.#total, this.#processBytes, serverRefusalsStrings.session.serverQueueFull, () =>
      accountsOf(accounts),
    )
  }
}

function evictUntilWithin(
  total: ByteTotal,
  budget: number,
  detailOf: (bytes: number) => string,
  openAccounts: () => Iterable<BufferAccount>,
): void {
  const detail = detailOf(budget)
  while (total.isOver(budget) && evictOldest(openAccounts(), detail));
}

/**
 * What evicted accounts still hold (the buffers of their links, until these are closed) does not evict the next one, or one account
 * too many would evict all of them. Only what exceeds a whole budget counts.
 */
class ByteTotal {
  bytes = 0
  evictedBytes = 0

  isOver(budget: number): boolean {
    return this.bytes - Math.min(this.evictedBytes, budget) > budget
  }
}

/** Returns false if nobody is left. */
function evictOldest(openAccounts: Iterable<BufferAccount>, detail: string): boolean {
  let oldest: BufferAccount | null = null
  let isLarge = false
  for (const account of openAccounts) {
    if (account.isEvicted || account.bytes === 0) continue
    const larger = account.bytes > SMALL_ACCOUNT_BYTES
    if (oldest && (isLarge !== larger ? isLarge : oldest.lastTakenAt < account.lastTakenAt)) continue
    oldest = account
    isLarge = larger
  }
  oldest?.evict({ code: 'overloaded', detail, retryAfterMs: RETRY_AFTER_MS })
  return oldest !== null
}

function* accountsOf(accounts: readonly PrincipalAccount[]): Iterable<BufferAccount> {
  for (const { openAccounts } of accounts) yield* openAccounts
}

/** The account of one principal. */
class PrincipalAccount {
  readonly principal: string
  readonly openAccounts = new Set<BufferAccount>()
  readonly total = new ByteTotal()

  constructor(principal: string) {
    this.principal = principal
  }
}

/** The account of one reader: a session, a link, or a stock client. */
export class BufferAccount {
  readonly #budget: BufferBudget
  readonly #principalAccount: PrincipalAccount
  readonly #onEvicted: (reason: CloseReason) => void
  #own = 0
  #shared = 0
  #wasEvicted = false
  #isClosed = false
  /** The moment when the reader last took something, or when the account stopped being empty. */
  lastTakenAt: number

  constructor(budget: BufferBudget, account: PrincipalAccount, evict: (reason: CloseReason) => void) {
    this.#budget = budget
    this.#principalAccount = account
    this.#onEvicted = evict
    this.lastTakenAt = budget.nextMoment()
    account.openAccounts.add(this)
  }

  /** Shared bytes count in full here, whoever else holds them. */
  get bytes(): number {
    return this.#own + this.#shared
  }

  /** True after an eviction, though bytes may still be held. */
  get isEvicted(): boolean {
    return this.#wasEvicted
  }

  charge(bytes: number): void {
    if (this.#isClosed) return
    if (this.bytes === 0) this.lastTakenAt = this.#budget.nextMoment()
    this.#own += bytes
    this.#budget.add(this.#principalAccount, bytes)
    if (this.#wasEvicted) this.#budget.addEvicted(this.#principalAccount, bytes)
  }

  /** Called when the reader has taken this many bytes. */
  release(bytes: number): void {
    if (this.#isClosed) return
    this.lastTakenAt = this.#budget.nextMoment()
    this.#subtract(bytes)
  }

  /** For a caller that knows only the present sum. */
  setBytes(bytes: number): void {
    const difference = bytes - this.#own
    if (difference > 0) this.charge(difference)
    else if (difference < 0) this.release(-difference)
  }

  /** Charges bytes that others hold as well: they count once for each principal, and once for the process. */
  chargeShared(holders: SharedByteHolders): void {
    if (this.bytes === 0) this.lastTakenAt = this.#budget.nextMoment()
    this.#shared += holders.length
    this.#budget.addShared(this.#principalAccount, holders)
  }

  releaseShared(holders: SharedByteHolders): void {
    this.lastTakenAt = this.#budget.nextMoment()
    this.#shared -= holders.length
    this.#budget.releaseShared(this.#principalAccount, holders)
  }

  evict(reason: CloseReason): void {
    this.#wasEvicted = true
    this.#budget.addEvicted(this.#principalAccount, this.#own)
    this.#onEvicted(reason)
  }

  /** Releases all of its own bytes; shared ones have to be released before. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#principalAccount.openAccounts.delete(this)
    this.#subtract(this.#own)
    this.#budget.forget(this.#principalAccount)
  }

  #subtract(bytes: number): void {
    this.#own -= bytes
    this.#budget.add(this.#principalAccount, -bytes)
    if (this.#wasEvicted) this.#budget.addEvicted(this.#principalAccount, -bytes)
  }
}
