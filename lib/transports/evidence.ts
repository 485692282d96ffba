/**
 * What is known of each transport, and what one more event teaches (S5). Pure: knowledge and event in, knowledge out; it knows
 * neither timers nor links. `choose.ts` decides by it, `findings.ts` puts it into words.
 */
import type { CloseReason } from '../protocol/close.ts'
import type { TransportId } from './transport.ts'

export type Outcome =
  | 'in use'
  | 'worked'
  | 'refused'
  | 'no answer'
  /** The way was open and nothing came down: as behind a proxy that collects an answer before it passes it on. */
  | 'held back'
  | 'closed early'
  | 'lost'
  /** The server's own word: it is busy, or goes away. */
  | 'sent away'
  /** The server's own word, too, until its next `offers`. */
  | 'not offered'

export interface Evidence {
  /** Milliseconds on the session's clock: `performance.now()`, so `performance.timeOrigin + at` is the time of day. */
  readonly at: number
  readonly outcome: Outcome
  readonly reason?: CloseReason
  /** Automatic choice passes it by. */
  readonly against: boolean
  /** In a row, until a link of it lasts a minute. */
  readonly failures: number
  /** How often in a row a link of it was won and lost within a minute. */
  readonly shortLived: number
  /** How often in a row one broke before it was steady. */
  readonly closedEarly: number
  /** Found on a network that this window has left: no longer held against it, and kept to be read. */
  readonly past: boolean
}

export interface Knowledge {
  readonly evidence: ReadonlyMap<TransportId, Evidence>
  readonly inUse: TransportId | null
  /** What the server has doors for; null until it said so. */
  readonly offers: readonly TransportId[] | null
  /** Opened since a link last was steady, or since the last wait. */
  readonly tried: ReadonlySet<TransportId>
  /** Comes first, after a wait: its link was steady, or the server asked for patience. */
  readonly home: TransportId | null
  /** What could not be opened since the last link went, in the order of the latest failures. */
  readonly gapFailures: readonly TransportId[]
  /** A streamed upload brought no acknowledgement here. */
  readonly postsOnly: boolean
  readonly networkChangedAt: number | null
}

export const nothingKnown: Knowledge = {
  evidence: new Map(),
  inUse: null,
  offers: null,
  tried: new Set(),
  home: null,
  gapFailures: [],
  postsOnly: false,
  networkChangedAt: null,
}

interface Happening {
  readonly transport: TransportId
  readonly at: number
}

/** Could not be opened or, where `opened`, did not prove itself. */
type Failed = Happening & { readonly type: 'failed'; readonly reason: CloseReason; readonly opened: boolean }
type Lost = Happening & { readonly type: 'lost'; readonly reason: CloseReason }

export type Lesson =
  | (Happening & { readonly type: 'opening' })
  | Failed
  | (Happening & { readonly type: 'proven' })
  /** Another link took over from it. */
  | (Happening & { readonly type: 'relieved' })
  | Lost
  | { readonly type: 'waited' }
  | { readonly type: 'upload held back' }
  | { readonly type: 'offered'; readonly offers: Knowledge['offers'] }
  | { readonly type: 'network changed'; readonly at: number }

/** A link that broke sooner is held against its transport. */
export const STEADY_MS = 10_000
/** One that was won and lost sooner is tried again later and later. */
const SETTLED_MS = 60_000

/** Anything else is the server's or the person's affair: another transport would meet the same. */
const blamed: readonly CloseReason['code'][] = ['refused', 'timeout', 'lost', 'not-offered']

const blames = ({ code, retryAfterMs }: CloseReason): boolean => blamed.includes(code) && !retryAfterMs

/** Both come down as one long answer: what holds back the one holds back the other. */
const twins: Partial<Record<TransportId, TransportId>> = { sse: 'stream', stream: 'sse' }

type Teach<L extends Lesson> = (knowledge: Knowledge, lesson: L) => Knowledge

const lessons: { readonly [T in Lesson['type']]: Teach<Extract<Lesson, { type: T }>> } = {
  opening: (knowledge, { transport }) => ({
    ...knowledge,
    tried: new Set(knowledge.tried).add(transport),
    home: knowledge.home === transport ? null : knowledge.home,
  }),
  failed: onFailed,
  proven: (before, lesson) => ({
    ...note(forgiven(before, lesson.transport), lesson, { outcome: 'in use', against: false }),
    inUse: lesson.transport,
    tried: new Set(before.tried).add(lesson.transport),
    home: null,
    gapFailures: [],
  }),
  relieved: (before, lesson) => {
    const { lasted, ...counts } = tally(before, lesson)
    const after = note(before, lesson, { ...counts, outcome: 'worked', against: false })
    return { ...after, inUse: null, tried: triedAfter(before, lasted) }
  },
  lost: onLost,
  waited: (knowledge) => (knowledge.home ? knowledge : { ...knowledge, tried: new Set() }),
  'upload held back': (knowledge) => ({ ...knowledge, postsOnly: true }),
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
    evidence: forgotten(knowledge),
    tried: new Set(),
    gapFailures: [],
    postsOnly: false,
    networkChangedAt: at,
  }),
}

export function learn(knowledge: Knowledge, lesson: Lesson): Knowledge {
  const teach = lessons[lesson.type] as Teach<Lesson>
  return teach(knowledge, lesson)
}

function onFailed(before: Knowledge, lesson: Failed): Knowledge {
  const { transport, reason } = lesson
  if (before.inUse === transport) return before // a second link of it failed; the first one goes on
  const after = noteFailure(before, lesson)
  const twin = heldBack(lesson) ? twins[transport] : undefined
  const all = twin && before.inUse !== twin ? noteFailure(after, { ...lesson, transport: twin }) : after
  return before.inUse || blames(reason) ? all : { ...all, home: transport }
}

function noteFailure(before: Knowledge, lesson: Failed): Knowledge {
  const { transport, reason } = lesson
  // While a link is in use there is no outage: whatever the reason, trying this one again can wait.
  const against = blames(reason) || before.inUse !== null
  const failures = countsOf(before, transport).failures + 1
  const others = before.gapFailures.filter((id) => id !== transport)
  return {
    ...note(before, lesson, { outcome: outcomeOf(lesson), reason, against, failures }),
    tried: new Set(before.tried).add(transport),
    gapFailures: against && !before.inUse ? [...others, transport] : others,
  }
}

const heldBack = ({ transport, reason, opened }: Failed): boolean =>
  reason.code === 'timeout' && (opened || transport in twins)

function outcomeOf(lesson: Failed): Outcome {
  if (lesson.reason.code === 'not-offered') return 'not offered'
  if (!blames(lesson.reason)) return 'sent away'
  if (heldBack(lesson)) return 'held back'
  return lesson.reason.code === 'timeout' ? 'no answer' : 'refused'
}

function onLost(before: Knowledge, lesson: Lost): Knowledge {
  const { transport, reason } = lesson
  const { lasted, ...counts } = tally(before, lesson)
  const steady = lasted >= STEADY_MS
  const early = !steady && blames(reason)
  const shortLived = counts.shortLived + (blames(reason) && lasted < SETTLED_MS ? 1 : 0)
  const failed = early
    ? ({
        outcome: 'closed early',
        failures: counts.failures + 1,
        closedEarly: counts.closedEarly + 1,
      } as const)
    : ({ outcome: blames(reason) ? 'lost' : 'sent away' } as const)
  return {
    ...note(before, lesson, { ...counts, shortLived, ...failed, reason, against: early }),
    inUse: null,
    tried: triedAfter(before, lasted),
    home: early ? null : transport,
    gapFailures: [],
  }
}

const triedAfter = ({ tried }: Knowledge, lasted: number): Knowledge['tried'] =>
  lasted >= STEADY_MS ? new Set() : tried

/** What had lasted is no longer reckoned with what failed before it. */
function tally(knowledge: Knowledge, { transport, at }: Happening) {
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

type Counts = Pick<Evidence, 'failures' | 'shortLived' | 'closedEarly'>

const none: Counts = { failures: 0, shortLived: 0, closedEarly: 0 }

function countsOf({ evidence }: Knowledge, transport: TransportId): Counts {
  const latest = evidence.get(transport)
  return latest && !latest.past ? latest : none
}

type Change = Partial<Counts> & Pick<Evidence, 'outcome' | 'against' | 'reason'>

function note(before: Knowledge, { transport, at }: Happening, change: Change): Knowledge {
  const { failures, shortLived, closedEarly } = countsOf(before, transport)
  const latest: Evidence = { failures, shortLived, closedEarly, ...change, past: false, at }
  return { ...before, evidence: new Map(before.evidence).set(transport, latest) }
}

/** An outage is nobody's fault: what failed before X failed in the same gap is forgiven once X works. */
function forgiven(before: Knowledge, transport: TransportId): Knowledge {
  const { gapFailures } = before
  const evidence = new Map(before.evidence)
  for (const id of gapFailures.slice(0, Math.max(0, gapFailures.indexOf(transport))))
    evidence.set(id, { ...evidence.get(id)!, against: false, failures: 0 })
  return { ...before, evidence }
}

function forgotten({ evidence, inUse }: Knowledge): Knowledge['evidence'] {
  return new Map([...evidence].map(([id, one]) => [id, { ...one, against: false, past: id !== inUse }]))
}
