/**
 * Measures the delays of one window and document (L1–L3) while somebody looks, here or in another window. Puts the parts together:
 *
 *   MeasurementLifecycle  who looks          OwnEdits ─▶ Journal                  RemoteWindows  what others reported
 *   PeerMessenger  what goes where           RemoteEdits ─▶ RemoteEditReporter    ServerClock; SummaryExchange  this person's other windows
 */
import type { DocumentHandle } from '../document-handle.ts'
import type { SessionObserver } from '../session/session-observer.ts'
import { MeasurementLifecycle } from './measurement-lifecycle.ts'
import { RemoteWindows, type PresenceOwner } from './remote-windows.ts'
import { SummaryBuilder } from './summary-builder.ts'
import { LATEST_EDITS, MAX_JOURNAL_EDITS } from './journal.ts'
import type { LatencyMessage, EditReport, EditReportRow } from './latency-messages.ts'
import { RemoteEdits } from './remote-edits.ts'
import { OwnEdits } from './own-edits.ts'
import { currentPlatform } from './page-platform.ts'
import { clockOffsetBetween } from './clock-offset.ts'
import { PeerMessenger } from './peer-messenger.ts'
import type { MeasurementPlatform } from './measurement-platform.ts'
import { ServerClock } from './server-clock.ts'
import type {
  Latency,
  LatencyState,
  ArrivalPath,
  LatencySamples,
  LatencyScope,
  EditTimeline,
} from './latency-state.ts'
import { SummaryExchange } from './summary-exchange.ts'
import { SnapshotStore } from './snapshot-store.ts'
import { RemoteEditReporter } from './remote-edit-reporter.ts'

/** The first requests come quickly, in ms: a single response may have met a busy moment. */
const FIRST_CLOCK_REQUESTS_MS = [0, 60, 150, 300, 600]
/** While only another window looks, this window just keeps its clock estimate: one request in this many seconds. */
const REMOTE_OBSERVER_CLOCK_TICKS = 10
/** Percentiles of 200 edits move slowly, and drawing them costs most, so the overlay is redrawn only every so many seconds. */
const OVERLAY_UPDATE_TICKS = 2
/** Applies while nothing is typed and no windows are compared: nobody expects the figure to move then. */
const RESTING_CLOCK_TICKS = 5
/** The number of edits in a summary, to be looked at one by one. */
const MAX_SUMMARY_EDITS = 20

const latencies = new WeakMap<DocumentHandle, WindowLatency>()

/** Returns the same object for each window and document. @param platform This page's, unless a test brings its own. */
export function latencyOf(opened: DocumentHandle, platform?: MeasurementPlatform): WindowLatency {
  const existing = latencies.get(opened)
  if (existing) return existing
  const created = new WindowLatency(opened, platform ?? currentPlatform())
  latencies.set(opened, created)
  void opened.ended.then(() => created.close())
  return created
}

class WindowLatency implements Latency {
  readonly #opened: DocumentHandle
  readonly #platform: MeasurementPlatform
  readonly #messenger: PeerMessenger
  readonly #lifecycle: MeasurementLifecycle
  readonly #remoteWindows: RemoteWindows
  readonly #ownEdits: OwnEdits
  readonly #remoteEdits: RemoteEdits
  readonly #serverClock: ServerClock
  readonly #summaryExchange = new SummaryExchange()
  readonly #snapshots: SnapshotStore<LatencyState>
  readonly #summaryBuilder: SummaryBuilder
  #ticks = 0
  /** The journal's revision at the last tick. */
  #lastRevision = 0
  #stopWatchingInput = () => {}

  constructor(opened: DocumentHandle, platform: MeasurementPlatform) {
    const { mainPart, session } = opened
    this.#opened = opened
    this.#platform = platform
    this.#messenger = new PeerMessenger(mainPart.provider, {
      onMessage: (message, from, path) => this.#receive(message, from, path),
      currentStamp: () => this.#ownEdits.stamp,
    })
    this.#remoteWindows = new RemoteWindows({
      ownerOf: (client) => this.#ownerOf(client),
      isOwn: (client) => this.#isOwn(client),
      browser: platform.browser,
    })
    this.#lifecycle = new MeasurementLifecycle(platform.clock, {
      onStart: () => this.#start(),
      onStop: () => this.#stop(),
      announceObserver: (scope) => this.#messenger.broadcast({ type: 'observe', scope }),
      onTick: () => this.#tick(),
    })
    this.#ownEdits = new OwnEdits({
      opened,
      platform,
      remoteWindows: this.#remoteWindows,
      shouldStamp: () => this.#lifecycle.shouldStamp,
      broadcastStamp: (stamp) => this.#messenger.broadcastStamp(stamp),
    })
    const reporter = new RemoteEditReporter({
      platform,
      windowCount: () => mainPart.awareness.getStates().size,
      sendReport: (author, opening, rows) => this.#sendReport(author, opening, rows),
    })
    this.#remoteEdits = new RemoteEdits(mainPart.doc, platform.now, reporter)
    this.#serverClock = new ServerClock({
      now: platform.now,
      requestClock: (token) => session.requestServerTime(token),
      linkCount: () => session.links.record.opened,
      currentLink: () => session.links.current?.info,
    })
    this.#summaryBuilder = new SummaryBuilder({
      opened,
      platform,
      own: this.#ownEdits,
      remoteWindows: this.#remoteWindows,
      clock: this.#serverClock,
    })
    this.#snapshots = new SnapshotStore({
      read: () => ({ ...this.#summaryBuilder.build(), receivedSummaries: this.#summaryExchange.received }),
      version: () => `${this.#summaryBuilder.version} ${this.#summaryExchange.revision}`,
    })
  }

  observe(scope: LatencyScope = 'window'): () => void {
    return this.#lifecycle.observe(scope)
  }

  get(): LatencyState {
    return this.#snapshots.get()
  }

  subscribe(listener: () => void): () => void {
    return this.#snapshots.subscribe(listener)
  }

  timelines(): readonly EditTimeline[] {
    return this.#ownEdits.journal.latest(LATEST_EDITS)
  }

  samples(): LatencySamples {
    const {
      roundTrip,
      own: _own,
      windows: _windows,
      earlier: _earlier,
      ...now
    } = this.#summaryBuilder.build()
    return {
      takenAt: this.#platform.now(),
      document: this.#opened.document,
      window: this.#platform.window,
      ...now,
      windows: this.#remoteWindows.identities,
      edits: this.#ownEdits.journal.latest(MAX_JOURNAL_EDITS),
      roundTrips: roundTrip.history,
    }
  }

  setIntendedTime(at: number): void {
    this.#ownEdits.setIntendedTime(at)
  }

  reset(): void {
    this.#ownEdits.reset()
    this.#remoteWindows.reset()
    this.#serverClock.reset()
    this.#snapshots.notifyIfStale()
  }

  /** Receives a trace that came before this file was loaded. */
  receiveTrace(from: number, bytes: Uint8Array): void {
    this.#messenger.receive(from, bytes, 'server')
  }

  /** The document was closed. */
  close(): void {
    this.#lifecycle.stop()
  }

  // Starting and stopping

  #start(): void {
    const { session, mainPart } = this.#opened
    session.observer = this.#sessionWatch
    mainPart.provider.observer = this.#ownEdits.watch
    this.#remoteEdits.start()
    this.#stopWatchingInput = this.#platform.watchInput()
    for (const ms of FIRST_CLOCK_REQUESTS_MS)
      this.#platform.clock.after(ms, () => this.#lifecycle.isMeasuring && this.#serverClock.requestTime())
  }

  #stop(): void {
    const { session, mainPart } = this.#opened
    session.observer = null
    mainPart.provider.observer = null
    this.#ownEdits.stop()
    this.#remoteEdits.stop()
    this.#stopWatchingInput()
  }

  readonly #sessionWatch: SessionObserver = {
    onMessages: () => this.#remoteEdits.onFrame(),
    onSent: (upTo) => this.#ownEdits.onSent(upTo),
    onAcknowledged: (upTo) => this.#ownEdits.journal.recordAcknowledged(upTo, this.#platform.now()),
    onServerTime: (token, micros) => this.#serverClock.onResponse(token, micros),
    onRestart: () => {
      this.#ownEdits.journal.forgetMessageNumbers()
      this.#serverClock.forgetServer()
    },
  }

  #tick(): void {
    this.#ticks += 1
    if (this.#ticks % this.#clockRequestTicks() === 0 || this.#serverClock.isOutdated)
      this.#serverClock.requestTime()
    const { comparingObservers, scope } = this.#lifecycle
    if (comparingObservers.length > 0) this.#sendSummary(comparingObservers)
    this.#summaryExchange.dropExpired(this.#platform.now())
    if (scope === 'person' || this.#ticks % OVERLAY_UPDATE_TICKS === 0) this.#snapshots.notifyIfStale()
  }

  /** The number of ticks from one clock request to the next. */
  #clockRequestTicks(): number {
    const { revision } = this.#ownEdits.journal
    const isTyping = revision !== this.#lastRevision
    this.#lastRevision = revision
    const { scope } = this.#lifecycle
    if (!scope) return REMOTE_OBSERVER_CLOCK_TICKS
    return isTyping || scope === 'person' ? 1 : RESTING_CLOCK_TICKS
  }

  // Other windows

  #receive(message: LatencyMessage, from: number, path: ArrivalPath): void {
    switch (message.type) {
      case 'observe':
        this.#lifecycle.receiveObserver(from, { own: this.#isOwn(from), scope: message.scope })
        return this.#sendIdentity(from)
      case 'identity':
        return this.#remoteWindows.receiveIdentity(from, message)
      case 'stamp':
        return this.#lifecycle.isMeasuring ? this.#remoteEdits.receiveStamp(from, message, path) : undefined
      case 'report':
        return this.#receiveReport(from, message)
      case 'summary':
        if (this.#isOwn(from)) this.#receiveSummary(from, message.summary)
    }
  }

  /** The browser's channel has only this person's windows; for all others the server says whose they are. */
  #isOwn(client: number): boolean {
    const { principal } = this.#opened.session
    return (
      this.#messenger.isNeighbour(client) || (principal !== '' && this.#ownerOf(client)?.id === principal)
    )
  }

  #ownerOf(client: number): PresenceOwner | undefined {
    const state = this.#opened.mainPart.awareness.getStates().get(client) as { user?: unknown } | undefined
    if (!state) return undefined
    const user = (state.user ?? {}) as Partial<Record<keyof PresenceOwner, unknown>>
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    return { id: text(user.id), name: text(user.name) }
  }

  #sendIdentity(client: number): void {
    const { window, browser, device, name } = this.#platform
    const identity = this.#isOwn(client)
      ? { window, browser, device, name: name() }
      : { window: '', browser: '', device: '', name: '' }
    this.#messenger.send(client, { type: 'identity', ...identity })
  }

  #sendReport(author: number, opening: number, rows: readonly EditReportRow[]): void {
    this.#messenger.send(author, { type: 'report', opening, offset: this.#serverClock.offset, rows })
  }

  #receiveReport(client: number, report: EditReport): void {
    const sameBrowser = this.#messenger.isNeighbour(client) || this.#remoteWindows.sharesBrowser(client)
    const offset = clockOffsetBetween({ own: this.#serverClock.offset, other: report.offset, sameBrowser })
    if (offset) this.#ownEdits.receiveReport(client, report, offset)
  }

  // Summaries

  #sendSummary(observers: readonly number[]): void {
    const { window: id, device, name } = this.#platform
    const timelines = this.#ownEdits.journal.latest(MAX_SUMMARY_EDITS)
    const summary = { id, device, name: name(), ...this.#summaryBuilder.build(), timelines }
    for (const client of observers) {
      const text = SummaryExchange.encode(summary, !this.#messenger.isNeighbour(client))
      this.#messenger.send(client, { type: 'summary', summary: text })
    }
  }

  #receiveSummary(from: number, text: string): void {
    const sameBrowser = this.#messenger.isNeighbour(from) || this.#remoteWindows.sharesBrowser(from)
    this.#summaryExchange.receive(text, sameBrowser, this.#platform.now())
  }
}
