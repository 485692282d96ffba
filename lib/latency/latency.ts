/**
 * The delays of one window and document (L1–L3), measured while somebody looks, here or in another window. Puts the parts together:
 *
 *   attention who looks       own-edits ─▶ journal       far-windows what others told of them
 *   post what goes where      others-edits ─▶ witness    server-clock, summaries of this person's other windows
 */
import type { Opened } from '../opened.ts'
import type { SessionWatch } from '../session/watch.ts'
import { Attention } from './attention.ts'
import { FarWindows, type Person } from './far-windows.ts'
import { Figures } from './figures.ts'
import { LATEST, MAX_EDITS } from './journal.ts'
import type { Message, Seen, SeenRow } from './messages.ts'
import { OthersEdits } from './others-edits.ts'
import { OwnEdits } from './own-edits.ts'
import { powersHere } from './page.ts'
import { between } from './placing.ts'
import { Post } from './post.ts'
import type { Powers } from './powers.ts'
import { ServerClock } from './server-clock.ts'
import type { Latency, LatencyState, Path, Samples, Scope, Timeline } from './state.ts'
import { Summaries } from './summaries.ts'
import { Teller } from './teller.ts'
import { Witness } from './witness.ts'

/** To begin with, in ms: one answer may have met a busy moment. */
const FIRST_QUESTIONS_MS = [0, 60, 150, 300, 600]
/** While only another window looks, the clock alone is kept: every so many seconds. */
const SELDOM = 10
/** Percentiles of 200 edits move slowly, and to draw them is what costs most: the overlay does so every so many seconds. */
const DRAWN = 2
/** While nothing is typed and no windows are compared: whoever rests looks at a figure that rests. */
const CALMLY = 5
/** In a summary, to look at one by one. */
const TOLD_EDITS = 20

const measured = new WeakMap<Opened, WindowLatency>()

/** The same one for each window and document. @param powers This page's, unless a test owns them. */
export function latencyOf(opened: Opened, powers?: Powers): WindowLatency {
  const known = measured.get(opened)
  if (known) return known
  const created = new WindowLatency(opened, powers ?? powersHere())
  measured.set(opened, created)
  void opened.ended.then(() => created.close())
  return created
}

class WindowLatency implements Latency {
  readonly #opened: Opened
  readonly #powers: Powers
  readonly #post: Post
  readonly #attention: Attention
  readonly #far: FarWindows
  readonly #own: OwnEdits
  readonly #others: OthersEdits
  readonly #clock: ServerClock
  readonly #summaries = new Summaries()
  readonly #teller: Teller<LatencyState>
  readonly #figures: Figures
  #ticks = 0
  /** Of the journal, at the last tick. */
  #changes = 0
  #stopInput = () => {}

  constructor(opened: Opened, powers: Powers) {
    const { main, session } = opened
    this.#opened = opened
    this.#powers = powers
    this.#post = new Post(main.provider, {
      heard: (message, from, path) => this.#hear(message, from, path),
      stamp: () => this.#own.stamp,
    })
    this.#far = new FarWindows({
      person: (client) => this.#personOf(client),
      isOwn: (client) => this.#isOwn(client),
      browser: powers.browser,
    })
    this.#attention = new Attention(powers.clock, {
      onAwake: () => this.#wake(),
      onAsleep: () => this.#sleep(),
      say: (scope) => this.#post.toAll({ type: 'look', scope }),
      tick: () => this.#tick(),
    })
    this.#own = new OwnEdits({
      opened,
      powers,
      far: this.#far,
      stamping: () => this.#attention.stamping,
      tell: (stamp) => this.#post.stamp(stamp),
    })
    const witness = new Witness({
      powers,
      crowd: () => main.awareness.getStates().size,
      answer: (author, opening, rows) => this.#answer(author, opening, rows),
    })
    this.#others = new OthersEdits(main.doc, powers.now, witness)
    this.#clock = new ServerClock({
      now: powers.now,
      ask: (token) => session.askClock(token),
      links: () => session.links.record.opened,
      link: () => session.links.current?.info,
    })
    this.#figures = new Figures({ opened, powers, own: this.#own, far: this.#far, clock: this.#clock })
    this.#teller = new Teller({
      read: () => ({ ...this.#figures.read(), elsewhere: this.#summaries.all }),
      version: () => `${this.#figures.version} ${this.#summaries.changes}`,
    })
  }

  look(scope: Scope = 'window'): () => void {
    return this.#attention.look(scope)
  }

  get(): LatencyState {
    return this.#teller.get()
  }

  subscribe(listener: () => void): () => void {
    return this.#teller.subscribe(listener)
  }

  timelines(): readonly Timeline[] {
    return this.#own.journal.latest(LATEST)
  }

  samples(): Samples {
    const { roundTrip, own: _own, windows: _windows, earlier: _earlier, ...now } = this.#figures.read()
    return {
      takenAt: this.#powers.now(),
      document: this.#opened.document,
      window: this.#powers.window,
      ...now,
      windows: this.#far.who,
      edits: this.#own.journal.latest(MAX_EDITS),
      roundTrips: roundTrip.history,
    }
  }

  intended(at: number): void {
    this.#own.intended(at)
  }

  reset(): void {
    this.#own.reset()
    this.#far.reset()
    this.#clock.reset()
    this.#teller.tell()
  }

  /** A trace that came before this was loaded. */
  hear(from: number, bytes: Uint8Array): void {
    this.#post.hear(from, bytes, 'server')
  }

  /** The document is closed. */
  close(): void {
    this.#attention.stop()
  }

  // Awake and asleep

  #wake(): void {
    const { session, main } = this.#opened
    session.watch = this.#watch
    main.provider.watch = this.#own.watch
    this.#others.wake()
    this.#stopInput = this.#powers.watchInput()
    for (const ms of FIRST_QUESTIONS_MS)
      this.#powers.clock.after(ms, () => this.#attention.awake && this.#clock.ask())
  }

  #sleep(): void {
    const { session, main } = this.#opened
    session.watch = null
    main.provider.watch = null
    this.#own.sleep()
    this.#others.sleep()
    this.#stopInput()
  }

  readonly #watch: SessionWatch = {
    onMessages: () => this.#others.frame(),
    onSent: (upTo) => this.#own.sent(upTo),
    onArrived: (upTo) => this.#own.journal.arrived(upTo, this.#powers.now()),
    onClock: (token, micros) => this.#clock.answered(token, micros),
    onRestart: () => {
      this.#own.journal.restarted()
      this.#clock.forgetServer()
    },
  }

  #tick(): void {
    this.#ticks += 1
    if (this.#ticks % this.#pace() === 0 || this.#clock.isOutdated) this.#clock.ask()
    const { comparing, scope } = this.#attention
    if (comparing.length > 0) this.#tellSummary(comparing)
    this.#summaries.forget(this.#powers.now())
    if (scope === 'person' || this.#ticks % DRAWN === 0) this.#teller.tell()
  }

  /** Ticks from one question of the clock to the next. */
  #pace(): number {
    const { changes } = this.#own.journal
    const isTyping = changes !== this.#changes
    this.#changes = changes
    const { scope } = this.#attention
    if (!scope) return SELDOM
    return isTyping || scope === 'person' ? 1 : CALMLY
  }

  // Other windows

  #hear(message: Message, from: number, path: Path): void {
    switch (message.type) {
      case 'look':
        this.#attention.heard(from, { own: this.#isOwn(from), scope: message.scope })
        return this.#greet(from)
      case 'here':
        return this.#far.here(from, message)
      case 'stamp':
        return this.#attention.awake ? this.#others.stamped(from, message, path) : undefined
      case 'seen':
        return this.#seen(from, message)
      case 'told':
        if (this.#isOwn(from)) this.#hearSummary(from, message.summary)
    }
  }

  /** The browser's channel is for this person's windows alone; the server says who is who on all others. */
  #isOwn(client: number): boolean {
    const { principal } = this.#opened.session
    return this.#post.isNeighbour(client) || (principal !== '' && this.#personOf(client)?.id === principal)
  }

  #personOf(client: number): Person | undefined {
    const state = this.#opened.main.awareness.getStates().get(client) as { user?: unknown } | undefined
    if (!state) return undefined
    const user = (state.user ?? {}) as Partial<Record<keyof Person, unknown>>
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    return { id: text(user.id), name: text(user.name) }
  }

  #greet(client: number): void {
    const { window, browser, device, name } = this.#powers
    const who = this.#isOwn(client)
      ? { window, browser, device, name: name() }
      : { window: '', browser: '', device: '', name: '' }
    this.#post.to(client, { type: 'here', ...who })
  }

  #answer(author: number, opening: number, rows: readonly SeenRow[]): void {
    this.#post.to(author, { type: 'seen', opening, offset: this.#clock.offset, rows })
  }

  #seen(client: number, seen: Seen): void {
    const sameBrowser = this.#post.isNeighbour(client) || this.#far.sharesBrowser(client)
    const shift = between({ own: this.#clock.offset, other: seen.offset, sameBrowser })
    if (shift) this.#own.seen(client, seen, shift)
  }

  // Figures

  #tellSummary(lookers: readonly number[]): void {
    const { window: id, device, name } = this.#powers
    const timelines = this.#own.journal.latest(TOLD_EDITS)
    const told = { id, device, name: name(), ...this.#figures.read(), timelines }
    for (const client of lookers) {
      const text = Summaries.write(told, !this.#post.isNeighbour(client))
      this.#post.to(client, { type: 'told', summary: text })
    }
  }

  #hearSummary(from: number, text: string): void {
    const sameBrowser = this.#post.isNeighbour(from) || this.#far.sharesBrowser(from)
    this.#summaries.hear(text, sameBrowser, this.#powers.now())
  }
}
