/** Decides which transport is next, how it is opened, and when a better one is tried (S5). Pure: knowledge in, decision out. */
import type { TransportEvidence, TransportKnowledge } from './evidence.ts'
import type { TransportId } from './transport.ts'

export type TransportChoice = TransportId | 'automatic'

export interface ChoiceInput {
  readonly wanted: TransportChoice
  /** The transports that this side can use, in the order of preference. */
  readonly supported: readonly TransportId[]
  readonly knowledge: TransportKnowledge
}

export interface TransportDecision {
  readonly transport: TransportId
  /** False: send by POSTs alone. */
  readonly streamedBody: boolean
  /** Whether to open it without a wait (S8). */
  readonly atOnce: boolean
}

/** The transports that both sides can use. If the server offers none of ours, all are tried: its offers may have changed. */
export function offeredOf({ supported, knowledge }: Omit<ChoiceInput, 'wanted'>): readonly TransportId[] {
  const { offers, evidence } = knowledge
  const both = supported.filter(
    (id) => (!offers || offers.includes(id)) && evidence.get(id)?.outcome !== 'not offered',
  )
  return both.length > 0 ? both : supported
}

/** Obeys a person's pin, unless the server does not offer it. */
export function chooseTransport(input: ChoiceInput): TransportDecision {
  const { wanted, knowledge } = input
  const offered = offeredOf(input)
  const pinned = offered.find((id) => id === wanted)
  const transport = pinned ?? chooseAutomatically(offered, knowledge)
  const atOnce = knowledge.preferred !== transport && !knowledge.tried.has(transport)
  return { transport, streamedBody: !knowledge.usesPostsOnly, atOnce }
}

/** The first by preference that is not avoided. Without a link, what had worked comes first, and what was just tried last. */
function chooseAutomatically(offered: readonly TransportId[], knowledge: TransportKnowledge): TransportId {
  const { evidence, inUse, preferred, tried } = knowledge
  const penaltyOf = (id: TransportId): number => {
    if (!inUse && id === preferred) return -1
    return (!inUse && tried.has(id) ? 2 : 0) + (evidence.get(id)?.isAvoided ? 1 : 0)
  }
  const [first, ...others] = offered
  if (first === undefined) throw new Error('No transport is offered: name at least one.')
  return others.reduce((best, id) => (penaltyOf(id) < penaltyOf(best) ? id : best), first)
}

export interface TransportProbe {
  readonly transport: TransportId
  readonly streamedBody: boolean
  /** On the session's clock; it may be past. */
  readonly at: number
}

const FIRST_PROBE_MS = 10_000
const MAX_PROBE_MS = 600_000

/** Which better transport is tried next in the background, and when: on Automatic, while a lower one is in use. */
export function nextProbe(input: ChoiceInput): TransportProbe | null {
  const { wanted, knowledge } = input
  const { inUse } = knowledge
  if (wanted !== 'automatic' || !inUse) return null
  const offered = offeredOf(input)
  const better = offered.slice(0, Math.max(0, offered.indexOf(inUse)))
  const streamedBody = !knowledge.usesPostsOnly
  const probes = better.map((transport) => ({
    transport,
    streamedBody,
    at: probeAt(transport, inUse, knowledge),
  }))
  return probes.reduce<TransportProbe | null>(
    (best, probe) => (best && best.at <= probe.at ? best : probe),
    null,
  )
}

function probeAt(
  id: TransportId,
  inUse: TransportId,
  { evidence, networkChangedAt }: TransportKnowledge,
): number {
  const since = evidence.get(inUse)?.at ?? 0
  const failure = evidence.get(id)
  if (failure?.isAvoided) return Math.max(since + FIRST_PROBE_MS, failure.at + probeDelay(failure))
  return networkChangedAt !== null && networkChangedAt >= since ? networkChangedAt : since + FIRST_PROBE_MS
}

/**
 * The delay doubles after each failure, and for each link that was won and lost within a minute. The server's retry-after is
 * obeyed (S8) up to a limit: a timer of more than 2³¹ ms would fire at once.
 */
function probeDelay({ failures, shortLived, reason }: TransportEvidence): number {
  const doublings = Math.min(16, failures - 1 + shortLived)
  return Math.min(MAX_PROBE_MS, Math.max(FIRST_PROBE_MS * 2 ** doublings, reason?.retryAfterMs ?? 0))
}
