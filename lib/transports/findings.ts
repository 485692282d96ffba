/** What was found of each transport, in words: why this one is in use, and why not the others. */
import { describeWithin } from '../protocol/close.ts'
import { strings } from '../strings/transports.ts'
import type { Evidence, Knowledge } from './evidence.ts'
import type { TransportId } from './transport.ts'

export interface Finding {
  readonly transport: TransportId
  /** "in use", "refused (403)", "held back: no answer within 2.0 s". */
  readonly words: string
  /** Milliseconds on the session's clock, as `Evidence.at`. Undefined where nothing was tried. */
  readonly at?: number
}

const found = strings.findings

/** @param known In the order of preference, which the findings keep. */
export function findingsOf(known: readonly TransportId[], knowledge: Knowledge): readonly Finding[] {
  return known.map((transport) => {
    const { offers, evidence } = knowledge
    if (offers && !offers.includes(transport)) return { transport, words: found.notOffered }
    const latest = evidence.get(transport)
    if (!latest) return { transport, words: found.notTried }
    return { transport, words: withUploads(transport, knowledge, wordsOf(latest)), at: latest.at }
  })
}

const wordsOf = (latest: Evidence): string =>
  latest.past ? found.beforeNetworkChanged(outcomeInWords(latest)) : outcomeInWords(latest)

/** They go up by the same connection that the frames come down by. */
const bothWays: readonly TransportId[] = ['websocket', 'memory']

const withUploads = (transport: TransportId, { inUse, postsOnly }: Knowledge, words: string): string =>
  transport === inUse && postsOnly && !bothWays.includes(transport) ? found.bySingleRequests(words) : words

function outcomeInWords({ outcome, reason, closedEarly }: Evidence): string {
  const detail = reason?.detail
  switch (outcome) {
    case 'in use':
      return found.inUse
    case 'worked':
      return found.worked
    case 'refused':
      return found.refused(detail)
    case 'no answer':
      return detail ?? found.noAnswer
    case 'held back':
      return found.heldBack(detail)
    case 'closed early':
      return found.closedEarly(closedEarly)
    case 'lost':
      return found.lost
    case 'not offered':
      return found.notOffered
    case 'sent away':
      return reason ? describeWithin({ code: reason.code }) : found.sentAway
  }
}
