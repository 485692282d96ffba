/**
 * What the server holds for clients: frames that the network has not taken, messages that nobody has confirmed, and messages that
 * came only in part.
 * Each principal has a budget, and so has the process. Where one is exceeded, the oldest debtor within it is sent away: the one
 * that has taken nothing for the longest. It may come back, and hears by state vectors what it missed, so nothing is lost.
 *
 *   charge ─▶ over a budget? ─▶ at the end of the turn: send away the oldest, until all fits or nobody is left
 *
 * Knows bytes and principals; does not know sessions, links or documents.
 */
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { Holders } from '../../lib/protocol/shared.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { MAX_OWED_BYTES, MAX_OWED_BYTES_A_PRINCIPAL } from '../limits.ts'

/** Who owes less goes only where nobody owes more: it frees little, and nearly every busy window owes as much for a moment. */
const SMALL_BYTES = 64 * 1024
/** The network's buffers are full of what the one before was told; who was sent away shall not come back into the same moment. */
const COME_AGAIN_MS = 2_000

export interface Budgets {
  readonly principalBytes?: number
  readonly processBytes?: number
}

export class Debts {
  readonly #principalBytes: number
  readonly #processBytes: number
  readonly #accounts = new Map<string, Account>()
  readonly #all = new Sum()
  #isLate = false
  /** A count that only climbs, in the place of a clock: which of two debtors took something last. */
  #latest = 0

  constructor({ principalBytes = MAX_OWED_BYTES_A_PRINCIPAL, processBytes = MAX_OWED_BYTES }: Budgets = {}) {
    this.#principalBytes = principalBytes
    this.#processBytes = processBytes
  }

  /** Of all readers. What several of them share counts once. */
  get bytes(): number {
    return this.#all.bytes
  }

  bytesOf(principal: string): number {
    return this.#accounts.get(principal)?.all.bytes ?? 0
  }

  /** @param sendAway Called once at most, never within `charge`. What it frees is to be told by `release` or `close`, now or later. */
  open(principal: string, sendAway: (reason: CloseReason) => void): Debt {
    let account = this.#accounts.get(principal)
    if (!account) this.#accounts.set(principal, (account = new Account(principal)))
    return new Debt(this, account, sendAway)
  }

  // Called by debts.

  moment(): number {
    return ++this.#latest
  }

  add(account: Account, bytes: number): void {
    account.all.bytes += bytes
    this.#all.bytes += bytes
    if (account.all.isOver(this.#principalBytes) || this.#all.isOver(this.#processBytes)) this.#relieveSoon()
  }

  /** Of a debtor that was sent away and still holds so many. Fewer than none: they are gone by now. */
  addLeaving(account: Account, bytes: number): void {
    account.all.leaving += bytes
    this.#all.leaving += bytes
  }

  addShared(account: Account, { readers, length }: Holders): void {
    const before = readers.get(account) ?? 0
    readers.set(account, before + 1)
    if (before > 0) return
    if (readers.size > 1) this.#all.bytes -= length // it was counted for the first of them
    this.add(account, length)
  }

  releaseShared(account: Account, { readers, length }: Holders): void {
    const left = (readers.get(account) ?? 0) - 1
    if (left > 0) return void readers.set(account, left)
    readers.delete(account)
    account.all.bytes -= length
    if (readers.size === 0) this.#all.bytes -= length
  }

  forget(account: Account): void {
    if (account.debts.size === 0) this.#accounts.delete(account.principal)
  }

  /** Not within the turn: a room may be in the middle of telling its members, and whoever is sent away leaves it. */
  #relieveSoon(): void {
    if (this.#isLate) return
    this.#isLate = true
    queueMicrotask(() => {
      this.#isLate = false
      this.#relieve()
    })
  }

  #relieve(): void {
    const accounts = [...this.#accounts.values()]
    for (const { all, debts } of accounts)
      relieve(all, this.#principalBytes, strings.session.yourWindowsOwe, () => debts)
    relieve(this.#all, this.#processBytes, strings.session.serverOwes, () => debtsOf(accounts))
  }
}

function relieve(
  all: Sum,
  budget: number,
  detailOf: (bytes: number) => string,
  debts: () => Iterable<Debt>,
): void {
  const detail = detailOf(budget)
  while (all.isOver(budget) && sendAwayOldest(debts(), detail));
}

/**
 * What a debtor that was sent away still holds (the buffers of its link, until that is closed) does not send away the next one, or
 * one too many would cost all of them. It counts once there is a whole budget of it.
 */
class Sum {
  bytes = 0
  leaving = 0

  isOver(budget: number): boolean {
    return this.bytes - Math.min(this.leaving, budget) > budget
  }
}

/** False: nobody is left. */
function sendAwayOldest(debts: Iterable<Debt>, detail: string): boolean {
  let oldest: Debt | null = null
  let isLarge = false
  for (const debt of debts) {
    if (debt.isLeaving || debt.bytes === 0) continue
    const larger = debt.bytes > SMALL_BYTES
    if (oldest && (isLarge !== larger ? isLarge : oldest.takenAt < debt.takenAt)) continue
    oldest = debt
    isLarge = larger
  }
  oldest?.sendAway({ code: 'overloaded', detail, retryAfterMs: COME_AGAIN_MS })
  return oldest !== null
}

function* debtsOf(accounts: readonly Account[]): Iterable<Debt> {
  for (const { debts } of accounts) yield* debts
}

/** One principal's. */
class Account {
  readonly principal: string
  readonly debts = new Set<Debt>()
  readonly all = new Sum()

  constructor(principal: string) {
    this.principal = principal
  }
}

/** One reader's: a session's, a link's, a stock client's. */
export class Debt {
  readonly #debts: Debts
  readonly #account: Account
  readonly #sendAway: (reason: CloseReason) => void
  #own = 0
  #shared = 0
  #sent = false
  #isClosed = false
  /** When it last took something, or began to owe. */
  takenAt: number

  constructor(debts: Debts, account: Account, sendAway: (reason: CloseReason) => void) {
    this.#debts = debts
    this.#account = account
    this.#sendAway = sendAway
    this.takenAt = debts.moment()
    account.debts.add(this)
  }

  /** What is shared counts in full here, whoever else holds it. */
  get bytes(): number {
    return this.#own + this.#shared
  }

  /** It was sent away, and the last of it is not gone yet. */
  get isLeaving(): boolean {
    return this.#sent
  }

  charge(bytes: number): void {
    if (this.#isClosed) return
    if (this.bytes === 0) this.takenAt = this.#debts.moment()
    this.#own += bytes
    this.#debts.add(this.#account, bytes)
    if (this.#sent) this.#debts.addLeaving(this.#account, bytes)
  }

  /** The reader has taken so many. */
  release(bytes: number): void {
    if (this.#isClosed) return
    this.takenAt = this.#debts.moment()
    this.#letGo(bytes)
  }

  /** For a caller that knows only the present sum. */
  set(bytes: number): void {
    const more = bytes - this.#own
    if (more > 0) this.charge(more)
    else if (more < 0) this.release(-more)
  }

  /** Bytes that others hold as well: they count once for each principal, and once for the process. */
  chargeShared(holders: Holders): void {
    if (this.bytes === 0) this.takenAt = this.#debts.moment()
    this.#shared += holders.length
    this.#debts.addShared(this.#account, holders)
  }

  releaseShared(holders: Holders): void {
    this.takenAt = this.#debts.moment()
    this.#shared -= holders.length
    this.#debts.releaseShared(this.#account, holders)
  }

  sendAway(reason: CloseReason): void {
    this.#sent = true
    this.#debts.addLeaving(this.#account, this.#own)
    this.#sendAway(reason)
  }

  /** All that is its own is let go; what is shared was released before. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#account.debts.delete(this)
    this.#letGo(this.#own)
    this.#debts.forget(this.#account)
  }

  #letGo(bytes: number): void {
    this.#own -= bytes
    this.#debts.add(this.#account, -bytes)
    if (this.#sent) this.#debts.addLeaving(this.#account, -bytes)
  }
}
