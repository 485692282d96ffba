/**
 * The delays of one window and document (L1–L3), measured while somebody looks, here or in another window. Puts the parts
 * together: who looks (attention), what goes where (post), own edits (journal), what others saw of them (far-windows), what was
 * seen of others' (witness), clocks (server-clock), own windows' summaries (summaries).
 */
import type * as Y from 'yjs'
import type { Opened } from '../opened.ts'
import type { SessionWatch } from '../session/watch.ts'
import type { ProviderWatch } from '../sync/provider.ts'
import { Attention } from './attention.ts'
import { FarWindows, type Person } from './far-windows.ts'
import { Journal, LATEST, MAX_EDITS, ownFiguresOf } from './journal.ts'
import type { Message, Seen, SeenRow, Stamp } from './messages.ts'
import { powersHere } from './page.ts'
import { PerKey } from './per-key.ts'
import { between } from './placing.ts'
import { Post } from './post.ts'
import type { Powers } from './powers.ts'
import { ServerClock } from './server-clock.ts'
import type {
  Arrival,
  Bucket,
  FarStation,
  Latency,
  LatencyState,
  OwnStation,
  Path,
  Samples,
  Summary,
  Switch,
  Timeline,
} from './state.ts'
import { Summaries } from './summaries.ts'
import { Teller } from './teller.ts'
import { Witness } from './witness.ts'

/** A later answer tells more of a clock that leapt than of the network. */
const MAX_SPAN_MS = 60 * 60_000
/** To begin with, in ms: one answer may have met a busy moment. */
const FIRST_QUESTIONS_MS = [0, 60, 150, 300, 600]
/** While another window looks, the clock alone is kept, at every so many ticks. */
const SELDOM = 10
const ownStations: readonly string[] = ['ownPaint', 'sent', 'acknowledged', 'saved'] satisfies OwnStation[]

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
  readonly #journal = new Journal()
  readonly #perKey = new PerKey()
  readonly #far: FarWindows
  readonly #post: Post
  readonly #attention: Attention
  readonly #serverClock: ServerClock
  readonly #witness: Witness
  readonly #summaries = new Summaries()
  readonly #teller: Teller<LatencyState>
  readonly #opening = Math.floor(Math.random() * 2 ** 31)
  #stamp: Stamp | null = null
  #intended: number | undefined
  #ticks = 0
  /** Of the frame that is being acted on. */
  #frameAt = 0
  /** Of the latest text that came from elsewhere. */
  #foreign = { began: 0, applied: 0 }
  #stopInput = () => {}

  constructor(opened: Opened, powers: Powers) {
    this.#opened = opened
    this.#powers = powers
    this.#far = new FarWindows({
      person: (client) => this.#personOf(client),
      ownPerson: () => opened.session.principal,
      browser: powers.browser,
    })
    this.#post = new Post(opened.main.provider, {
      heard: (message, from, path) => this.#hear(message, from, path),
      stamp: () => this.#stamp,
    })
    this.#attention = new Attention(powers.clock, {
      onAwake: () => this.#wake(),
      onAsleep: () => this.#sleep(),
      say: () => this.#post.toAll({ type: 'look' }),
      tick: () => this.#tick(),
    })
    this.#serverClock = new ServerClock({
      now: powers.now,
      ask: (token) => opened.session.askClock(token),
      links: () => opened.session.links.record.opened,
    })
    this.#witness = new Witness({
      powers,
      crowd: () => opened.main.awareness.getStates().size,
      answer: (author, opening, rows) => this.#answer(author, opening, rows),
    })
    this.#teller = new Teller(powers.clock, () => this.#read())
  }

  look(): () => void {
    const end = this.#attention.look()
    this.#teller.changed()
    return () => {
      end()
      this.#teller.changed()
    }
  }

  get(): LatencyState {
    return this.#teller.get()
  }

  subscribe(listener: () => void): () => void {
    return this.#teller.subscribe(listener)
  }

  timelines(): readonly Timeline[] {
    return this.#journal.latest(LATEST)
  }

  samples(): Samples {
    const windows = this.#far.figures([]).map((window) => {
      const { received: _r, applied: _a, painted: _p, hidden: _h, paths: _w, ...who } = window
      return who
    })
    return {
      takenAt: this.#powers.now(),
      document: this.#opened.document,
      window: this.#powers.window,
      windows,
      edits: this.#journal.latest(MAX_EDITS),
      roundTrips: this.#serverClock.roundTrip.history,
      switches: this.#switches(),
    }
  }

  distribution(station: OwnStation | FarStation, window = ''): readonly Bucket[] {
    return isOwn(station) ? this.#journal.buckets(station) : this.#far.buckets(window, station)
  }

  intended(at: number): void {
    this.#intended = at
  }

  reset(): void {
    this.#journal.reset()
    this.#perKey.reset()
    this.#far.reset()
    this.#serverClock.reset()
    this.#teller.changed()
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
    session.watch = this.#sessionWatch
    main.provider.watch = this.#providerWatch
    main.doc.on('beforeTransaction', this.#onBefore)
    main.doc.on('afterTransaction', this.#onAfter)
    this.#stopInput = this.#powers.watchInput()
    for (const ms of FIRST_QUESTIONS_MS)
      this.#powers.clock.after(ms, () => this.#attention.awake && this.#serverClock.ask())
  }

  #sleep(): void {
    const { session, main } = this.#opened
    session.watch = null
    main.provider.watch = null
    main.doc.off('beforeTransaction', this.#onBefore)
    main.doc.off('afterTransaction', this.#onAfter)
    this.#stopInput()
    this.#witness.stop()
    this.#stamp = null
  }

  #tick(): void {
    this.#ticks += 1
    if (this.#attention.looking || this.#ticks % SELDOM === 0) this.#serverClock.ask()
    const lookers = this.#attention.ownLookers
    if (lookers.length > 0) this.#tellSummary(lookers)
    this.#summaries.forget(this.#powers.now())
    this.#teller.changed()
  }

  // Own edits

  readonly #sessionWatch: SessionWatch = {
    onMessages: () => {
      this.#frameAt = this.#powers.now()
    },
    onSent: (upTo) => this.#journal.sent(upTo, this.#powers.now()),
    onArrived: (upTo) => this.#journal.arrived(upTo, this.#powers.now()),
    onClock: (token, micros) => {
      this.#serverClock.answered(token, micros)
      this.#teller.changed()
    },
    onRestart: () => {
      this.#journal.restarted()
      this.#serverClock.forgetServer()
    },
  }

  readonly #providerWatch: ProviderWatch = {
    onMade: (edit, number) => this.#made(edit, number),
    onCount: () => {
      const { provider } = this.#opened.main
      this.#journal.saved(provider.saved, this.#powers.now())
      if (provider.refusal) this.#journal.refused()
      this.#teller.changed()
    },
  }

  #made(edit: number, number: number | undefined): void {
    this.#stamp = null
    if (!this.#attention.stamping) return
    const at = this.#powers.now()
    const input = this.#intended === undefined ? this.#powers.inputAt() : undefined
    const by = input === undefined ? 'program' : 'input'
    this.#journal.made({ edit, number, at, began: this.#intended ?? input, by })
    this.#intended = undefined
    this.#countBytes(at)
    this.#stampEdit(edit)
    this.#powers.afterPaint((painted) => this.#journal.painted(edit, painted))
  }

  /** In the same turn as the edit, so that it goes in the same frame. */
  #stampEdit(edit: number): void {
    const { doc } = this.#opened.main
    const clock = doc.store.clients.has(doc.clientID) ? clockOf(doc, doc.clientID) : 0
    this.#stamp = { type: 'stamp', opening: this.#opening, edit, clock }
    this.#post.stamp(this.#stamp)
  }

  #countBytes(at: number): void {
    const { bytesUp: up, bytesDown: down } = this.#opened.session.links.record.traffic
    this.#perKey.made(at, { up, down })
  }

  // Others

  #hear(message: Message, from: number, path: Path): void {
    switch (message.type) {
      case 'look':
        this.#attention.heard(from, this.#isOwn(from))
        return this.#greet(from)
      case 'here':
        this.#far.here(from, message)
        return this.#teller.changed()
      case 'stamp':
        return this.#witnessed(from, message, path)
      case 'seen':
        return this.#seen(from, message)
      case 'told':
        if (this.#isOwn(from)) this.#hearSummary(from, message.summary)
    }
  }

  /** The browser's channel is for this person's windows alone. */
  #isOwn(client: number): boolean {
    return this.#post.isNeighbour(client) || this.#far.isOwn(client)
  }

  #greet(client: number): void {
    const { window, browser, device, name } = this.#powers
    const who = this.#isOwn(client)
      ? { window, browser, device, name: name() }
      : { window: '', browser: '', device: '', name: '' }
    this.#post.to(client, { type: 'here', ...who })
  }

  #witnessed(author: number, stamp: Stamp, path: Path): void {
    const { doc } = this.#opened.main
    if (!this.#attention.awake || clockOf(doc, author) < stamp.clock) return
    const { began, applied } = this.#foreign
    if (applied === 0) return // it was here before anybody looked
    const received = path === 'browser' ? began : this.#frameAt
    this.#witness.saw(author, stamp, { received, applied, path })
  }

  #answer(author: number, opening: number, rows: readonly SeenRow[]): void {
    this.#post.to(author, { type: 'seen', opening, offset: this.#serverClock.offset, rows })
  }

  #seen(client: number, { opening, offset, rows }: Seen): void {
    if (opening !== this.#opening) return
    const sameBrowser = this.#post.isNeighbour(client) || this.#far.sharesBrowser(client)
    const shift = between({ own: this.#serverClock.offset, other: offset, sameBrowser })
    if (!shift) return
    for (const row of rows) this.#place(client, row, shift.ms, shift.boundMs)
    this.#teller.changed()
  }

  #place(client: number, row: SeenRow, shift: number, boundMs: number): void {
    const key = this.#journal.keyOf(row.edit)
    if (key === undefined) return
    const span = row.received + shift - key
    if (!(span >= -boundMs && span <= MAX_SPAN_MS)) return // a clock that lies or leapt
    const received = Math.max(0, span)
    const painted = row.painted === 'hidden' ? row.painted : received + row.painted
    const window = this.#far.idOf(client)
    const arrival: Arrival = {
      window,
      received,
      applied: received + row.applied,
      painted,
      path: row.path,
      boundMs,
    }
    if (this.#journal.arrive(row.edit, arrival)) this.#far.arrived(client, arrival)
  }

  // Summaries

  #tellSummary(lookers: readonly number[]): void {
    const summary = this.#summary()
    for (const client of lookers) {
      const short = !this.#post.isNeighbour(client)
      const { window, device, name } = this.#powers
      const text = Summaries.write({ id: window, device, name: name(), ...summary }, short)
      this.#post.to(client, { type: 'told', summary: text })
    }
  }

  #hearSummary(from: number, text: string): void {
    const sameBrowser = this.#post.isNeighbour(from)
    this.#summaries.hear(text, sameBrowser, this.#powers.now())
    this.#teller.changed()
  }

  #summary(): Summary {
    return { ...this.#figures(this.#journal.latest(LATEST)), timelines: this.#journal.latest(20) }
  }

  #read(): LatencyState {
    return {
      ...this.#figures(this.#journal.latest(LATEST)),
      looking: this.#attention.looking,
      sinceReset: this.#journal.sinceReset,
      elsewhere: this.#summaries.all,
    }
  }

  #figures(timelines: readonly Timeline[]): Omit<Summary, 'timelines'> {
    const { session, main, status } = this.#opened
    const { links } = session
    const { provider } = main
    const perKey = this.#perKey.mean
    return {
      ...(links.current && { link: links.current.info }),
      simulated: status.get().simulated !== undefined,
      roundTrip: this.#serverClock.roundTrip,
      own: ownFiguresOf(timelines),
      windows: this.#far.figures(timelines),
      queue: { edits: provider.edits - provider.saved, bytes: session.waitingBytes },
      ...(perKey && { perKey }),
      reconnects: Math.max(0, links.record.opened - 1 - links.record.switches),
      switches: this.#switches(),
    }
  }

  /** Theirs are by the session's clock. */
  #switches(): readonly Switch[] {
    const { moves } = this.#opened.session.links.record
    const ahead = this.#powers.now() - this.#powers.clock.now()
    return moves.map((move) => ({ ...move, at: move.at + ahead }))
  }

  #personOf(client: number): Person | undefined {
    const state = this.#opened.main.awareness.getStates().get(client) as { user?: unknown } | undefined
    if (!state) return undefined
    const user = (state.user ?? {}) as Partial<Record<keyof Person, unknown>>
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    return { id: text(user.id), name: text(user.name) }
  }

  readonly #onBefore = ({ local }: Y.Transaction): void => {
    if (!local) this.#foreign.began = this.#powers.now()
  }

  readonly #onAfter = ({ local }: Y.Transaction): void => {
    if (!local) this.#foreign.applied = this.#powers.now()
  }
}

const isOwn = (station: OwnStation | FarStation): station is OwnStation => ownStations.includes(station)

/** Of a client's structs, as a state vector has it. */
function clockOf(doc: Y.Doc, client: number): number {
  const last = doc.store.clients.get(client)?.at(-1)
  return last ? last.id.clock + last.length : 0
}
