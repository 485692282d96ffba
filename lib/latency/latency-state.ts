/**
 * What one window knows of its delays, for code that shows, exports or compares them. All spans are in ms; all moments (`at`, `key`) are
 * ms since 1970 by this browser's clock, with fractions. Percentiles come from histograms with three digits (L3).
 */
import type { LinkInfo } from '../transports/transport.ts'

/** Whose edits somebody looks at: those of this window, or of all windows of its person, side by side. */
export type LatencyScope = 'window' | 'person'

/** Computed from those of a window's last 200 edits that went by one link. All 0 where `count` is 0. */
export interface Percentiles {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** An edit's stages in its own window, each counted from its key. */
export type OwnStage = 'ownPaint' | 'sent' | 'acknowledged' | 'saved'

/** An edit's stages in another window. `applied`: the text there has it, a moment after `received`. */
export type RemoteStage = 'received' | 'applied' | 'painted'

export type OwnStageFigures = Readonly<Record<OwnStage, Percentiles>>

/** The path by which an edit came first: from the neighbouring window of the same browser, or from the server. */
export type ArrivalPath = 'browser' | 'server'

export interface WindowFigures {
  /** The register's id for own windows; for others, made of their client id. */
  readonly id: string
  /** The window's title, '' for other people's. */
  readonly name: string
  /** "Chrome on Linux", '' for other people's. */
  readonly device: string
  /** The name in its presence, '' for a program without one. */
  readonly person: string
  /** Whether it belongs to this window's person. */
  readonly own: boolean
  readonly sameBrowser: boolean
  /** Whether it is still there. */
  readonly present: boolean
  /** How far its times may be off here, ± ms: the bound of the clocks. Undefined before both clocks were compared. */
  readonly boundMs?: number
  readonly received: Percentiles
  readonly applied: Percentiles
  readonly painted: Percentiles
  /** How many of the last edits it received while it was hidden, or not drawn for another reason. */
  readonly hidden: number
  readonly paths: Readonly<Record<ArrivalPath, number>>
}

interface RoundTripFigures {
  /** The latest round trip; undefined before the first. */
  readonly now?: number
  /** The least round trip on this link: what the network and the server take when nothing is in the way. */
  readonly base?: number
  /** One a second while something is typed or windows are compared, else one in five seconds; at most 120. */
  readonly history: readonly {
    readonly at: number
    readonly ms: number
    /** The link that it went by. */
    readonly link?: LinkInfo
  }[]
}

/** Figures of edits that went by another link than the one in use: another transport, or the real network where it is simulated now. */
export interface EarlierLinkFigures {
  readonly link: LinkInfo
  readonly edits: number
  readonly own: OwnStageFigures
}

export interface TransportSwitch {
  readonly at: number
  /** A transport's id; '' for the first link. */
  readonly from: string
  readonly to: string
  /** The reason in words: "chosen by you", "lost: …", "a better one answered". */
  readonly reason: string
}

/** What a window sends to the other windows of its person while one of them looks. */
export interface LatencySummary {
  readonly link?: LinkInfo
  /** Whether it reports that its network is simulated. */
  readonly simulated: boolean
  readonly roundTrip: RoundTripFigures
  /** Figures of those of this window's last 200 edits that went by the link in use, or wait for it. */
  readonly own: OwnStageFigures
  /** Figures of the same edits in other windows. */
  readonly windows: readonly WindowFigures[]
  /** The others of the 200, grouped by their links, the latest used first. */
  readonly earlier: readonly EarlierLinkFigures[]
  readonly queue: { readonly edits: number; readonly bytes: number }
  /** Bytes of all frames since the document opened, as of `at`. */
  readonly traffic: { readonly at: number; readonly up: number; readonly down: number }
  /**
   * Bytes between one edit and the next on the link in use, where they are less than a second apart; undefined before any. Frames alone,
   * stamps among them: without what WebSocket, HTTP and TLS put around them.
   */
  readonly perKey?: { readonly up: number; readonly down: number }
  readonly reconnects: number
  readonly switches: readonly TransportSwitch[]
  /** The latest edits, newest last. */
  readonly timelines: readonly EditTimeline[]
}

/** The summary of another window of this person that shows the same document. */
export interface ReceivedSummary extends LatencySummary {
  readonly id: string
  readonly name: string
  readonly device: string
  readonly sameBrowser: boolean
  /** When it last sent its summary. */
  readonly at: number
}

export interface LatencyState extends Omit<LatencySummary, 'timelines'> {
  /**
   * The other windows' summaries, while somebody here looks at all windows. They are whole within the browser; from other devices they
   * have no history, and only the last timelines that fit.
   */
  readonly receivedSummaries: readonly ReceivedSummary[]
}

/** One edit in one other window; spans count from the edit's key. */
export interface EditArrival {
  /** As in `WindowFigures.id`. */
  readonly window: string
  readonly received: number
  readonly applied: number
  /** The first frame after it was applied; 'hidden' where the page was not drawn. */
  readonly painted: number | 'hidden'
  readonly path: ArrivalPath
  /** The bound of the error, ± ms. */
  readonly boundMs: number
}

/** One edit (L1). A missing stage was not reached, or not seen: no value is made up for it. */
export interface EditTimeline {
  /** The edit's number among those that this window made in the document. */
  readonly edit: number
  /** When the key was pressed, or when a program meant it to be; where neither is known, when the text changed. */
  readonly key: number
  readonly by: 'input' | 'program'
  /** When the text here changed. */
  readonly made: number
  /** The link that it left by, as it was then; an edit that was repeated on another link keeps the first. */
  readonly link?: LinkInfo
  readonly ownPaint?: number | 'hidden'
  readonly sent?: number
  /** When the server confirmed that it received it. */
  readonly acknowledged?: number
  /** When the server confirmed that it is on its disk. */
  readonly saved?: number
  /** The server will never accept it. */
  readonly refused?: true
  readonly arrivals: readonly EditArrival[]
}

type SampleConditions = Pick<
  LatencySummary,
  'link' | 'simulated' | 'queue' | 'traffic' | 'perKey' | 'reconnects' | 'switches'
>

/** `link`, `simulated` and the other conditions are those at `takenAt`; each edit and round trip has its own link. */
export interface LatencySamples extends SampleConditions {
  readonly takenAt: number
  readonly document: string
  readonly window: string
  readonly windows: readonly Omit<WindowFigures, 'received' | 'applied' | 'painted' | 'hidden' | 'paths'>[]
  /** Every edit since the last reset, the newest 5,000. */
  readonly edits: readonly EditTimeline[]
  readonly roundTrips: RoundTripFigures['history']
}

/**
 * The delays of one window and document: `latencyOf(document.opened)` in latency.ts. Load that file when somebody looks, not before:
 * `await import('…/lib/latency/latency.ts')`.
 */
export interface Latency {
  /**
   * Starts measuring: edits are stamped, the other windows are asked to report, and clocks are compared.
   * @param scope 'window' by default.
   * @returns A function that stops it.
   */
  observe(scope?: LatencyScope): () => void
  /** Returns the same object until something changes. */
  get(): LatencyState
  /** Calls `listener` at most once a second, and only where something changed. */
  subscribe(listener: () => void): () => void
  /** The last 200, oldest first. */
  timelines(): readonly EditTimeline[]
  /** Everything there is, for an export (export-samples.ts). */
  samples(): LatencySamples
  /** The next edit made in this turn counts from this time (ms since 1970), whatever it waited for: an open-loop schedule (L3). */
  setIntendedTime(at: number): void
  reset(): void
}
