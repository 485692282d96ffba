/** Which transport next, how, and when to try a better one (S5). Pure: knowledge in, decision out. */
import type { Evidence, Knowledge } from './evidence.ts'
import type { TransportId } from './transport.ts'

export type TransportChoice = TransportId | 'automatic'

export interface ChoiceInput {
  readonly wanted: TransportChoice
  /** What this side can do, in the order of preference. */
  readonly known: readonly TransportId[]
  readonly knowledge: Knowledge
}

export interface Decision {
  readonly transport: TransportId
  /** False: go up by POSTs alone. */
  readonly streamedBody: boolean
  /** Without waiting first (S8). */
  readonly atOnce: boolean
}

/** What both sides can do. A server that offers nothing known here is asked all the same: it may have changed its mind. */
export function offeredOf({ known, knowledge }: Omit<ChoiceInput, 'wanted'>): readonly TransportId[] {
  const { offers, evidence } = knowledge
  const both = known.filter(
    (id) => (!offers || offers.includes(id)) && evidence.get(id)?.outcome !== 'not offered',
  )
  return both.length > 0 ? both : known
}

/** A person's pin is obeyed, unless the server has no door for it. */
export function choose(input: ChoiceInput): Decision {
  const { wanted, knowledge } = input
  const offered = offeredOf(input)
  const pinned = offered.find((id) => id === wanted)
  const transport = pinned ?? automatic(offered, knowledge)
  const atOnce = knowledge.home !== transport && !knowledge.tried.has(transport)
  return { transport, streamedBody: !knowledge.postsOnly, atOnce }
}

/** The first by preference against which nothing speaks. Without a link, what had worked comes first of all, and what was just tried last. */
function automatic(offered: readonly TransportId[], knowledge: Knowledge): TransportId {
  const { evidence, inUse, home, tried } = knowledge
  const doubts = (id: TransportId): number => {
    if (!inUse && id === home) return -1
    return (!inUse && tried.has(id) ? 2 : 0) + (evidence.get(id)?.against ? 1 : 0)
  }
  const [first, ...others] = offered
  if (first === undefined) throw new Error('No transport is offered: name at least one.')
  return others.reduce((best, id) => (doubts(id) < doubts(best) ? id : best), first)
}

export interface Probe {
  readonly transport: TransportId
  readonly streamedBody: boolean
  /** On the session's clock; it may be past. */
  readonly at: number
}

const FIRST_PROBE_MS = 10_000
const LONGEST_PROBE_MS = 600_000

/** On Automatic, while a lower transport is in use: which better one is tried next in the background, and when. */
export function nextProbe(input: ChoiceInput): Probe | null {
  const { wanted, knowledge } = input
  const { inUse } = knowledge
  if (wanted !== 'automatic' || !inUse) return null
  const offered = offeredOf(input)
  const better = offered.slice(0, Math.max(0, offered.indexOf(inUse)))
  const streamedBody = !knowledge.postsOnly
  const probes = better.map((transport) => ({
    transport,
    streamedBody,
    at: probeAt(transport, inUse, knowledge),
  }))
  return probes.reduce<Probe | null>((best, probe) => (best && best.at <= probe.at ? best : probe), null)
}

function probeAt(id: TransportId, inUse: TransportId, { evidence, networkChangedAt }: Knowledge): number {
  const since = evidence.get(inUse)?.at ?? 0
  const failure = evidence.get(id)
  if (failure?.against) return Math.max(since + FIRST_PROBE_MS, failure.at + probeDelay(failure))
  return networkChangedAt !== null && networkChangedAt >= since ? networkChangedAt : since + FIRST_PROBE_MS
}

/**
 * Twice as long after each failure, and again where it was won and lost within a minute. What the server asks for is obeyed (S8),
 * within reason: a timer of more than 2³¹ ms would fire at once.
 */
function probeDelay({ failures, shortLived, reason }: Evidence): number {
  const doublings = Math.min(16, failures - 1 + shortLived)
  return Math.min(LONGEST_PROBE_MS, Math.max(FIRST_PROBE_MS * 2 ** doublings, reason?.retryAfterMs ?? 0))
}
