/**
 * What is known of each transport, and how each event changes it (S5). Pure: knowledge and event in, knowledge out; it knows
 * neither timers nor links. `choose-transport.ts` decides by it, `findings.ts` puts it into words.
 */
import type { CloseReason } from '../protocol/close.ts'
import type { TransportId } from './transport.ts'

export type TransportOutcome =
  | 'in use'
  | 'worked'
  | 'refused'
  | 'no answer'
  /** The connection opened but nothing came down, as behind a proxy that collects an answer before it passes it on. */
  | 'held back'
  | 'closed early'
  | 'lost'
  /** The server said so: it is busy, or goes away. */
  | 'sent away'
  /** The server said so. This holds until its next `offers`. */
  | 'not offered'

export interface TransportEvidence {
  /** Milliseconds on the session's clock: `performance.now()`, so `performance.timeOrigin + at` is the time of day. */
  readonly at: number
  readonly outcome: TransportOutcome
  readonly reason?: CloseReason
  /** Whether the automatic choice avoids it. */
  readonly isAvoided: boolean
  /** Failures in a row, until a link of this transport lasts a minute. */
  readonly failures: number
  /** How often in a row a link of this transport was won and lost within a minute. */
  readonly shortLived: number
  /** How often in a row a link broke before it was steady. */
  readonly closedEarly: number
  /** The evidence is from a network that this window has left: it no longer counts, and is kept to be read. */
  readonly isOutdated: boolean
}

export interface TransportKnowledge {
  readonly evidence: ReadonlyMap<TransportId, TransportEvidence>
  readonly inUse: TransportId | null
  /** The transports that the server offers; null until it named them. */
  readonly offers: readonly TransportId[] | null
  /** The transports opened since a link last was steady, or since the last wait. */
  readonly tried: ReadonlySet<TransportId>
  /** The transport that comes first after a wait: its link was steady, or its failure was no fault of the transport. */
  readonly preferred: TransportId | null
  /** The transports that could not be opened since the last link was lost, in the order of the latest failures. */
  readonly gapFailures: readonly TransportId[]
  /** A streamed upload brought no acknowledgement on this network. */
  readonly usesPostsOnly: boolean
  readonly networkChangedAt: number | null
}

export const emptyKnowledge: TransportKnowledge = {
  evidence: new Map(),
  inUse: null,
  offers: null,
  tried: new Set(),
  preferred: null,
  gapFailures: [],
  usesPostsOnly: false,
  networkChangedAt: null,
}

interface TransportMoment {
  readonly transport: TransportId
  readonly at: number
}

/** The link could not be opened or, if `opened`, did not prove itself. */
type FailedEvent = TransportMoment & {
  readonly type: 'failed'
  readonly reason: CloseReason
  readonly opened: boolean
}
type LostEvent = TransportMoment & { readonly type: 'lost'; readonly reason: CloseReason }

export type TransportEvent =
  | (TransportMoment & { readonly type: 'opening' })
  | FailedEvent
  | (TransportMoment & { readonly type: 'proven' })
  /** Another link took over from this one. */
  | (TransportMoment & { readonly type: 'replaced' })
  | LostEvent
  | { readonly type: 'waited' }
  | { readonly type: 'upload held back' }
  | { readonly type: 'offered'; readonly offers: TransportKnowledge['offers'] }
  | { readonly type: 'network changed'; readonly at: number }

/** A link that broke sooner than this counts against its transport. */
export const STEADY_MS = 10_000
/** A transport whose link was won and lost sooner than this is tried again later each time. */
const SETTLED_MS = 60_000

/** The reasons that blame a transport. Any other comes from the server or the person, and would meet another transport, too. */
const blamedCodes: readonly CloseReason['code'][] = ['refused', 'timeout', 'lost', 'not-offered']

const blamesTransport = ({ code, retryAfterMs }: CloseReason): boolean =>
  blamedCodes.includes(code) && !retryAfterMs

/** Both come down as one long answer: a proxy that holds back the one holds back the other. */
const bufferingSiblings: Partial<Record<TransportId, TransportId>> = { sse: 'stream', stream: 'sse' }

type EventReducer<L extends TransportEvent> = (knowledge: TransportKnowledge, event: L) => TransportKnowledge

const eventReducers: {
  readonly [T in TransportEvent['type']]: EventReducer<Extract<TransportEvent, { type: T }>>
} = {
  opening: (knowledge, { transport }) => ({
    ...knowledge,
    tried: new Set(knowledge.tried).add(transport),
    preferred: knowledge.preferred === transport ? null : knowledge.preferred,
  }),
  failed: reduceFailed,
  proven: (before, event) => ({
    ...withEvidence(withGapForgiven(before, event.transport), event, { outcome: 'in use', isAvoided: false }),
    inUse: event.transport,
    tried: new Set(before.tried).add(event.transport),
    preferred: null,
    gapFailures: [],
  }),
  replaced: (before, event) => {
    const { lasted, ...counts } = countsAtEnd(before, event)
    const after = withEvidence(before, event, { ...counts, outcome: 'worked', isAvoided: false })
    return { ...after, inUse: null, tried: triedAfter(before, lasted) }
  },
  lost: reduceLost,
  waited: (knowledge) => (knowledge.preferred ? knowledge : { ...knowledge, tried: new Set() }),
  'upload held back': (knowledge) => ({ ...knowledge, usesPostsOnly: true }),
  offered: (knowledge, { offers }) => {
    const evidence = new Map([...knowledge.evidence].filter(([, { outcome }]) => outcome !== 'not offered'))
    return {
      ...knowledge,
      offers,
      evidence,
      gapFailures: knowledge.gapFailures.filter((id) => evidence.has(id)),
    }
  },
  'network changed': (knowledge, { at }) => ({
    ...knowledge,
    evidence: outdatedEvidence(knowledge),
    tried: new Set(),
    gapFailures: [],
    usesPostsOnly: false,
    networkChangedAt: at,
  }),
}

export function applyEvent(knowledge: TransportKnowledge, event: TransportEvent): TransportKnowledge {
  const reduce = eventReducers[event.type] as EventReducer<TransportEvent>
  return reduce(knowledge, event)
}

function reduceFailed(before: TransportKnowledge, event: FailedEvent): TransportKnowledge {
  const { transport, reason } = event
  if (before.inUse === transport) return before // A second link of this transport failed; the first one stays in use.
  const after = withFailure(before, event)
  const sibling = isHeldBack(event) ? bufferingSiblings[transport] : undefined
  const all =
    sibling && before.inUse !== sibling ? withFailure(after, { ...event, transport: sibling }) : after
  return before.inUse || blamesTransport(reason) ? all : { ...all, preferred: transport }
}

function withFailure(before: TransportKnowledge, event: FailedEvent): TransportKnowledge {
  const { transport, reason } = event
  // While a link is in use there is no outage: whatever the reason, trying this one again can wait.
  const isAvoided = blamesTransport(reason) || before.inUse !== null
  const failures = countsOf(before, transport).failures + 1
  const others = before.gapFailures.filter((id) => id !== transport)
  return {
    ...withEvidence(before, event, { outcome: outcomeOf(event), reason, isAvoided, failures }),
    tried: new Set(before.tried).add(transport),
    gapFailures: isAvoided && !before.inUse ? [...others, transport] : others,
  }
}

const isHeldBack = ({ transport, reason, opened }: FailedEvent): boolean =>
  reason.code === 'timeout' && (opened || transport in bufferingSiblings)

function outcomeOf(event: FailedEvent): TransportOutcome {
  if (event.reason.code === 'not-offered') return 'not offered'
  if (!blamesTransport(event.reason)) return 'sent away'
  if (isHeldBack(event)) return 'held back'
  return event.reason.code === 'timeout' ? 'no answer' : 'refused'
}

function reduceLost(before: TransportKnowledge, event: LostEvent): TransportKnowledge {
  const { transport, reason } = event
  const { lasted, ...counts } = countsAtEnd(before, event)
  const isSteady = lasted >= STEADY_MS
  const isEarly = !isSteady && blamesTransport(reason)
  const shortLived = counts.shortLived + (blamesTransport(reason) && lasted < SETTLED_MS ? 1 : 0)
  const failure = isEarly
    ? ({
        outcome: 'closed early',
        failures: counts.failures + 1,
        closedEarly: counts.closedEarly + 1,
      } as const)
    : ({ outcome: blamesTransport(reason) ? 'lost' : 'sent away' } as const)
  return {
    ...withEvidence(before, event, { ...counts, shortLived, ...failure, reason, isAvoided: isEarly }),
    inUse: null,
    tried: triedAfter(before, lasted),
    preferred: isEarly ? null : transport,
    gapFailures: [],
  }
}

const triedAfter = ({ tried }: TransportKnowledge, lasted: number): TransportKnowledge['tried'] =>
  lasted >= STEADY_MS ? new Set() : tried

/** The counts after a link's end. If the link had lasted, earlier failures no longer count. */
function countsAtEnd(knowledge: TransportKnowledge, { transport, at }: TransportMoment) {
  const { failures, shortLived, closedEarly } = countsOf(knowledge, transport)
  const lasted = at - (knowledge.evidence.get(transport)?.at ?? at)
  const isSettled = lasted >= SETTLED_MS
  return {
    lasted,
    failures: isSettled ? 0 : failures,
    shortLived: isSettled ? 0 : shortLived,
    closedEarly: lasted >= STEADY_MS ? 0 : closedEarly,
  }
}

type FailureCounts = Pick<TransportEvidence, 'failures' | 'shortLived' | 'closedEarly'>

const noFailures: FailureCounts = { failures: 0, shortLived: 0, closedEarly: 0 }

function countsOf({ evidence }: TransportKnowledge, transport: TransportId): FailureCounts {
  const latest = evidence.get(transport)
  return latest && !latest.isOutdated ? latest : noFailures
}

type EvidenceChange = Partial<FailureCounts> & Pick<TransportEvidence, 'outcome' | 'isAvoided' | 'reason'>

function withEvidence(
  before: TransportKnowledge,
  { transport, at }: TransportMoment,
  change: EvidenceChange,
): TransportKnowledge {
  const { failures, shortLived, closedEarly } = countsOf(before, transport)
  const latest: TransportEvidence = { failures, shortLived, closedEarly, ...change, isOutdated: false, at }
  return { ...before, evidence: new Map(before.evidence).set(transport, latest) }
}

/** An outage blames no transport: once X works, those that failed before X failed in the same gap are forgiven. */
function withGapForgiven(before: TransportKnowledge, transport: TransportId): TransportKnowledge {
  const { gapFailures } = before
  const evidence = new Map(before.evidence)
  for (const id of gapFailures.slice(0, Math.max(0, gapFailures.indexOf(transport))))
    evidence.set(id, { ...evidence.get(id)!, isAvoided: false, failures: 0 })
  return { ...before, evidence }
}

function outdatedEvidence({ evidence, inUse }: TransportKnowledge): TransportKnowledge['evidence'] {
  return new Map(
    [...evidence].map(([id, one]) => [id, { ...one, isAvoided: false, isOutdated: id !== inUse }]),
  )
}
