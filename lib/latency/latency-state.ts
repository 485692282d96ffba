/**
 * What one window knows of its delays, for whoever shows, exports or compares it. All spans are in ms; all moments (`at`, `key`)
 * are ms since 1970 by this browser's clock, with fractions. Percentiles come from histograms with three digits (L3).
 */
import type { LinkInfo } from '../transports/transport.ts'

/** Whose edits somebody looks at: those of this window, or of all windows of its person, side by side. */
export type LatencyScope = 'window' | 'person'

/** Of the edits of a window that went by one link, among its last 200. All 0 where `count` is 0. */
export interface Percentiles {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** An edit's own stations, each counted from its key. */
export type OwnStage = 'ownPaint' | 'sent' | 'acknowledged' | 'saved'

/** Its stations in another window. `applied`: the text there has it, a moment after `received`. */
export type RemoteStage = 'received' | 'applied' | 'painted'

export type OwnStageFigures = Readonly<Record<OwnStage, Percentiles>>

/** By which way an edit came first: from the neighbouring window of the same browser, or by the server. */
export type ArrivalPath = 'browser' | 'server'

export interface WindowFigures {
  /** The register's id for own windows; else made of the name that the room knows it by. */
  readonly id: string
  /** What the window calls itself, '' for other people's. */
  readonly name: string
  /** "Chrome on Linux", '' for other people's. */
  readonly device: string
  /** As presence has the name, '' for a program without one. */
  readonly person: string
  /** It belongs to this window's person. */
  readonly own: boolean
  readonly sameBrowser: boolean
  /** It is still there. */
  readonly present: boolean
  /** How far its times may be off here: the clocks' bound, ± ms; undefined before both clocks were compared. */
  readonly boundMs?: number
  readonly received: Percentiles
  readonly applied: Percentiles
  readonly painted: Percentiles
  /** How many of the last edits it had while it was hidden, or not drawn for another reason. */
  readonly hidden: number
  readonly paths: Readonly<Record<ArrivalPath, number>>
}

interface RoundTripFigures {
  /** The latest; undefined before the first. */
  readonly now?: number
  /** The least on this link: what the network and the server take when nothing is in the way. */
  readonly base?: number
  /** One a second while something is typed or windows are compared, else one in five; at most 120. */
  readonly history: readonly {
    readonly at: number
    readonly ms: number
    /** That it went by. */
    readonly link?: LinkInfo
  }[]
}

/** Edits that went by another link than the one in use: another transport, or the real network where it is simulated now. */
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
  /** In words: "chosen by you", "lost: …", "a better one answered". */
  readonly reason: string
}

/** What a window tells the other windows of its person while one of them looks. */
export interface LatencySummary {
  readonly link?: LinkInfo
  /** It says that its network is simulated. */
  readonly simulated: boolean
  readonly roundTrip: RoundTripFigures
  /** Of those of this window's last 200 edits that went by the link in use, or wait for it. */
  readonly own: OwnStageFigures
  /** Of the same edits. */
  readonly windows: readonly WindowFigures[]
  /** The others of the 200, apart by their links, the latest used first. */
  readonly earlier: readonly EarlierLinkFigures[]
  readonly queue: { readonly edits: number; readonly bytes: number }
  /** Bytes of all frames since it opened, by then. */
  readonly traffic: { readonly at: number; readonly up: number; readonly down: number }
  /**
   * Bytes between one edit and the next on the link in use, where it came within a second; undefined before any. Frames alone,
   * stamps among them: not what WebSocket or HTTP, and TLS, put around them.
   */
  readonly perKey?: { readonly up: number; readonly down: number }
  readonly reconnects: number
  readonly switches: readonly TransportSwitch[]
  /** The latest edits, newest last. */
  readonly timelines: readonly EditTimeline[]
}

/** Another window of this person that shows the same document. */
export interface ReceivedSummary extends LatencySummary {
  readonly id: string
  readonly name: string
  readonly device: string
  readonly sameBrowser: boolean
  /** When it last told. */
  readonly at: number
}

export interface LatencyState extends Omit<LatencySummary, 'timelines'> {
  /** What they told, while somebody here looks at all windows. Within the browser with everything; from other devices without history, and with the last timelines that fit. */
  readonly receivedSummaries: readonly ReceivedSummary[]
}

/** One edit in one other window; spans from the edit's key. */
export interface EditArrival {
  /** As `WindowFigures.id`. */
  readonly window: string
  readonly received: number
  readonly applied: number
  /** The first frame after it was applied; 'hidden' where the page was not drawn. */
  readonly painted: number | 'hidden'
  readonly path: ArrivalPath
  /** ± ms. */
  readonly boundMs: number
}

/** One edit (L1). A station that is missing was not reached, or not seen: nothing is made up for it. */
export interface EditTimeline {
  /** The how many-th edit that this window made in the document. */
  readonly edit: number
  /** When the key was pressed, or when a program meant it to be; where neither is known, when the text changed. */
  readonly key: number
  readonly by: 'input' | 'program'
  /** When the text here changed. */
  readonly made: number
  /** That it left by, as it was then; what was repeated on another link keeps the first. */
  readonly link?: LinkInfo
  readonly ownPaint?: number | 'hidden'
  readonly sent?: number
  /** The server said that it has it. */
  readonly acknowledged?: number
  /** The server said that it is on its disk. */
  readonly saved?: number
  /** The server will never take it. */
  readonly refused?: true
  readonly arrivals: readonly EditArrival[]
}

type SampleConditions = Pick<
  LatencySummary,
  'link' | 'simulated' | 'queue' | 'traffic' | 'perKey' | 'reconnects' | 'switches'
>

/** `link`, `simulated` and the rest of the circumstances are those of `takenAt`; each edit and round trip has its own link. */
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
 * One for each window and document: `latencyOf(document.opened)` in latency.ts. Load it when somebody looks, not before:
 * `await import('…/lib/latency/latency.ts')`.
 */
export interface Latency {
  /** @param scope 'window' unless said. From here on edits are stamped, the other windows are asked to answer, and clocks are compared. Returns the undo. */
  observe(scope?: LatencyScope): () => void
  /** The same object until something changes. */
  get(): LatencyState
  /** Tells at most once a second, and only where something changed. */
  subscribe(listener: () => void): () => void
  /** The last 200, oldest first. */
  timelines(): readonly EditTimeline[]
  /** Everything there is, to be exported (export.ts). */
  samples(): LatencySamples
  /** The next edit made in this turn counts from then (ms since 1970), whatever it waited for: an open-loop schedule (L3). */
  setIntendedTime(at: number): void
  reset(): void
}
