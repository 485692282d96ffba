/**
 * One open document's copy on this device (D6): loads what is there, writes down the window's own edits, and forgets them when
 * the server has saved them. One elected window of a document also writes its copy (`copy-writer.ts`) and takes over the rows of
 * dead windows.
 *
 *   edit ──append──▶ pending ──on the disk──▶ row ──saved by the server──▶ marked ──the keeper's next copy──▶ gone
 *
 * Knows rows, locks and time; does not know links, and Yjs updates only as bytes.
 */
import type { ChannelRole } from '../../protocol/channel.ts'
import { SCHEMA_VERSION } from '../../protocol/limits.ts'
import type { Clock } from '../../session/clock.ts'
import type { LocksLike } from '../../locks.ts'
import { ifGone, openOwnWindow, type OwnWindow } from '../window-id.ts'
import { type AboutText, CopyWriter, type CurrentText } from './copy-writer.ts'
import { Ledger } from './ledger.ts'
import type { AsideReason, LocalStore, Place, TakenOver } from './store.ts'

/** How often the keeper looks for windows that died meanwhile, in ms. */
const TAKE_OVER_MS = 5_000
/** After a write that failed: the disk is full, or the browser closed the database. In ms. */
const RETRY_MS = 2_000
/** From an edit to its row, in ms: a frame. A key is on screen before it is written down, and what comes with it shares its transaction. */
const GATHER_MS = 16
/** Above so many rows that no server has saved they become one. */
const MERGE_ABOVE = 200

export interface LocalPowers {
  readonly store: LocalStore
  readonly locks: LocksLike
  readonly clock: Clock
  /** As whom this browser was known last, '' where nobody said. */
  readonly principal: string
  /** As whom it is known from now on. */
  remember(principal: string): void
}

/** What the copy asks of the document it is the copy of. */
export interface LocalPort {
  /**
   * Take in what was found here.
   * @param changes How many changes of this person in it the server still lacks: 0 for text it has.
   * @returns The number of the latest edit, these included.
   */
  take(updates: readonly Uint8Array[], changes: number): number
  /** There is a copy, and this was its reader's role. */
  onCopy(role: ChannelRole): void
  /** Null before the server has answered. */
  text(): CurrentText | null
  onCount(): void
}

interface Pending {
  readonly n: number
  /** Its number among the edits of the channel. */
  readonly edit: number
  readonly update: Uint8Array
}

/** Of a name that rows are written under, who holds the lock: one opening writes under several, when it takes rows over. */
export const writerOf = (name: string): string => name.split('.')[0]!

export const keeperLock = ({ document, part }: Place): string => `keeper:${document}:${part}`

export class LocalCopy {
  readonly #powers: LocalPowers
  /** Not the page: one may open a document twice, or leave it and stay. */
  readonly #writer: OwnWindow
  readonly #place: Place
  readonly #own: Ledger
  readonly #ledgers: Ledger[]
  readonly #closed = Promise.withResolvers<void>()
  readonly #resign = new AbortController()
  #port: LocalPort | null = null
  #principal: string
  /** Whose text is in the document is settled: it was found here as theirs, or shown to them by the server. */
  #isTheirs = false
  #nextN = 1
  #pending: Pending[] = []
  #savedEdits = 0
  readonly #copies: CopyWriter
  #rows = 0
  #storedN = 0
  #names = 0
  #writing: Promise<void> = Promise.resolve()
  #isWriting = false
  #isGathering = false
  #isOver = false
  #hasTakenBack = false
  #cancels = new Set<() => void>()

  constructor(place: Place, powers: LocalPowers) {
    this.#place = place
    this.#powers = powers
    this.#principal = powers.principal
    this.#writer = openOwnWindow(powers.locks)
    this.#own = this.#newLedger(this.#newName())
    this.#ledgers = [this.#own]
    this.#copies = new CopyWriter({
      clock: powers.clock,
      after: (ms, run) => this.#after(ms, run),
      text: () => (this.#isOver ? null : (this.#port?.text() ?? null)),
      write: (...copy) => this.#writeCopy(...copy),
    })
  }

  /** Whose text this is, '' where nobody has said yet. */
  get principal(): string {
    return this.#principal
  }

  /** Edits that are neither on the server nor on this device; more than any count where nothing is kept any more. */
  get unstored(): number {
    if (this.#isOver) return Infinity
    return this.#pending.filter(({ edit }) => edit > this.#savedEdits).length
  }

  /** Loads copy and rows into the document, those of dead windows as its own. Never rejects: what cannot be read is not there. */
  async open(port: LocalPort): Promise<void> {
    this.#port = port
    void this.#campaign()
    try {
      await this.#load(port)
      await this.#takeOver()
    } catch {
      // The server has the text; what is written from here on is tried again.
    }
  }

  /** Who the server says this is. False where text of somebody else is in the document: it must not be sent as theirs. */
  identify(principal: string): boolean {
    if (principal !== this.#principal) this.#powers.remember(principal)
    if (this.#principal !== principal && this.#principal !== '' && this.#isTheirs) return false
    this.#principal = principal
    this.#isTheirs = true
    return true
  }

  /** @param edit Its number among the edits of the channel. */
  append(update: Uint8Array, edit: number): void {
    if (this.#isOver) return
    const n = this.#nextN++
    this.#pending.push({ n, edit, update })
    this.#own.add({ n, edit })
    this.#writeSoon()
  }

  /** The server has saved the first so many edits. */
  saved(edits: number): void {
    // Rows are written even so: later ones build on them, and the next copy may be seconds away.
    this.#savedEdits = edits
    for (const ledger of this.#ledgers) ledger.saved(edits)
    this.#copies.saved()
  }

  /** The server said this of its text. */
  heard(update: Uint8Array): void {
    this.#copies.heard(update)
  }

  /** The text changed, or what is known of it: the keeper writes a copy soon. */
  changed(): void {
    this.#copies.changed()
  }

  /** The server does not take what is not saved, nor what follows it: kept, but not shown at the next visit. */
  async setAside(reason: AsideReason): Promise<void> {
    this.#isOver = true
    // What is still in memory, too: written later it would be shown and sent, without what it builds on.
    this.#startWriting()
    await this.#writing
    this.#pending = []
    const { store } = this.#powers
    for (const { author } of this.#ledgers) await this.#quietly(() => store.setAside(author, reason))
  }

  /** The document is there, and takes what this person writes: what was set aside while it was missing is sent. */
  async takeBack(): Promise<void> {
    if (this.#hasTakenBack || this.#isOver) return
    this.#hasTakenBack = true
    await this.#quietly(() => this.#powers.store.takeBack(this.#place, this.#principal))
    await this.#quietly(() => this.#takeOver())
  }

  /** The document is gone for this person, and its text from this device. */
  async forget(): Promise<void> {
    this.#isOver = true
    await this.#quietly(() => this.#powers.store.forget(this.#place.document))
  }

  /** What waits to be written is written now: the page may be gone with this turn. */
  flush(): void {
    this.#startWriting()
    for (const ledger of this.#ledgers) void ledger.mark()
  }

  close(): void {
    this.flush()
    this.#isOver = true
    this.#port = null
    for (const cancel of this.#cancels) cancel()
    this.#resign.abort()
    this.#closed.resolve()
    // Others take over what is left, once nothing more is written.
    void this.#writing.then(() => this.#writer.close())
  }

  #newName(): string {
    return `${this.#writer.id}.${++this.#names}`
  }

  async #load(port: LocalPort): Promise<void> {
    const { copy, rows } = await this.#powers.store.read(this.#place, this.#principal)
    if (this.#isOver) return
    // An editor deletes what its schema does not know. This page is out of date, and the server will tell it.
    if (copy && copy.schema > SCHEMA_VERSION) return void (this.#isOver = true)
    const updates = [...(copy ? [copy.state] : []), ...rows.map(({ update }) => update)]
    this.#isTheirs ||= updates.length > 0
    port.take(updates, 0)
    this.#copies.found(copy !== undefined)
    if (copy) port.onCopy(copy.role)
  }

  // Writing down

  #writeSoon(): void {
    if (this.#isWriting || this.#isGathering) return
    this.#isGathering = true
    this.#after(GATHER_MS, () => {
      this.#isGathering = false
      this.#startWriting()
    })
  }

  #startWriting(): void {
    if (!this.#isWriting && this.#pending.length > 0) this.#writing = this.#write()
  }

  /** One transaction at a time; what comes meanwhile shares the next. */
  async #write(): Promise<void> {
    this.#isWriting = true
    try {
      await this.#writer.held
      while (this.#pending.length > 0) await this.#writeBatch([...this.#pending])
    } catch {
      if (!this.#isOver) this.#after(RETRY_MS, () => this.#startWriting())
    } finally {
      this.#isWriting = false
    }
  }

  async #writeBatch(batch: readonly Pending[]): Promise<void> {
    await this.#powers.store.append(this.#own.author, this.#principal, batch.map(rowOf))
    this.#stored(batch)
  }

  #stored(batch: readonly Pending[]): void {
    this.#storedN = batch.at(-1)!.n
    this.#pending = this.#pending.filter(({ n }) => n > this.#storedN)
    this.#rows += batch.length
    if (this.#rows > MERGE_ABOVE && this.#own.unsaved > MERGE_ABOVE) this.#merge()
    this.#port?.onCount()
  }

  #merge(): void {
    this.#rows = 1
    void this.#quietly(() => this.#powers.store.merge(this.#own.author, this.#storedN))
  }

  // Keeping

  async #campaign(): Promise<void> {
    const { locks } = this.#powers
    const options = { signal: this.#resign.signal }
    const term = locks.request(keeperLock(this.#place), options, async () => {
      if (!this.#isOver) this.#copies.elected()
      this.#watchOver()
      await this.#closed.promise
    })
    await term.catch(() => {}) // closed before it was elected, or there are no locks here: then another keeps
  }

  #watchOver(): void {
    if (this.#isOver) return
    this.#after(TAKE_OVER_MS, () => {
      void this.#quietly(() => this.#takeOver()).then(() => this.#watchOver())
    })
  }

  async #takeOver(): Promise<void> {
    const { store, locks } = this.#powers
    await this.#writer.held
    for (const [writer, names] of Map.groupBy(await store.authors(this.#place), writerOf)) {
      if (writer !== this.#writer.id) await ifGone(locks, writer, () => this.#adoptAll(names))
    }
  }

  async #adoptAll(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#adopt(name)
  }

  async #adopt(window: string): Promise<void> {
    if (this.#isOver) return
    const name = this.#newName()
    const { store } = this.#powers
    this.#take(await store.takeOver({ ...this.#place, window }, name, this.#principal), name)
  }

  #take({ saved, unsaved }: TakenOver, window: string): void {
    if (!this.#port) return
    this.#isTheirs ||= saved.length + unsaved.length > 0
    this.#port.take(saved.map(updateOf), 0)
    const changes = unsaved.reduce((sum, row) => sum + row.changes, 0)
    if (changes === 0) return
    const edit = this.#port.take(unsaved.map(updateOf), changes)
    const entries = unsaved.map(({ n }) => ({ n, edit }))
    this.#ledgers.push(this.#newLedger(window, entries))
  }

  #newLedger(window: string, unsaved: readonly { readonly n: number; readonly edit: number }[] = []): Ledger {
    const after = (ms: number, run: () => void): void => this.#after(ms, run)
    return new Ledger({ ...this.#place, window }, this.#powers.store, after, [...unsaved])
  }

  async #writeCopy(
    text: AboutText,
    content: Uint8Array | readonly Uint8Array[],
    keepsFormer: boolean,
  ): Promise<void> {
    // Rows that are not marked stay until the copy after this one.
    await Promise.all(this.#ledgers.map((ledger) => ledger.mark()))
    const about = { principal: this.#principal, schema: SCHEMA_VERSION, at: Date.now() }
    const own = { window: this.#own.author.window, upTo: this.#own.savedN }
    await this.#powers.store.compact({ ...this.#place, ...text, ...about }, content, own, keepsFormer)
  }

  /** What fails here is done again with the next change, and loses nothing meanwhile. */
  async #quietly(run: () => Promise<void>): Promise<void> {
    await run().catch(() => {})
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#powers.clock.after(ms, () => {
      this.#cancels.delete(cancel)
      run()
    })
    this.#cancels.add(cancel)
  }
}

const rowOf = ({ n, update }: Pending) => ({ n, update, changes: 1 })

const updateOf = ({ update }: { update: Uint8Array }) => update
