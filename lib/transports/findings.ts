/** Puts the evidence on each transport into words: why this one is in use, and why the others are not. */
import { describeCloseWithin } from '../protocol/close.ts'
import { transportsStrings } from '../strings/transports.ts'
import { withoutSettings } from '../strings/without-settings.ts'
import type { TransportEvidence, TransportKnowledge } from './evidence.ts'
import type { TransportId } from './transport.ts'

export interface TransportFinding {
  readonly transport: TransportId
  /** "in use", "refused (403)", "held back: no answer within 2.0 s". */
  readonly words: string
  /** Milliseconds on the session's clock, like `TransportEvidence.at`. Undefined if it was not tried. */
  readonly at?: number
}

const findingTexts = transportsStrings.findings

/** @param supported In the order of preference, which the findings keep. */
export function findingsOf(
  supported: readonly TransportId[],
  knowledge: TransportKnowledge,
): readonly TransportFinding[] {
  return supported.map((transport) => {
    const { offers, evidence } = knowledge
    if (offers && !offers.includes(transport)) return { transport, words: findingTexts.notOffered }
    const latest = evidence.get(transport)
    if (!latest) return { transport, words: findingTexts.notTried }
    return { transport, words: withUploadNote(transport, knowledge, describeEvidence(latest)), at: latest.at }
  })
}

const describeEvidence = (latest: TransportEvidence): string =>
  latest.isOutdated ? findingTexts.beforeNetworkChanged(describeOutcome(latest)) : describeOutcome(latest)

/** Frames go up and down on the same connection. */
const duplexTransports: readonly TransportId[] = ['websocket', 'memory']

const withUploadNote = (
  transport: TransportId,
  { inUse, usesPostsOnly }: TransportKnowledge,
  words: string,
): string =>
  transport === inUse && usesPostsOnly && !duplexTransports.includes(transport)
    ? findingTexts.bySingleRequests(words)
    : words

function describeOutcome({ outcome, reason, closedEarly }: TransportEvidence): string {
  const detail = reason?.detail && withoutSettings(reason.detail)
  switch (outcome) {
    case 'in use':
      return findingTexts.inUse
    case 'worked':
      return findingTexts.worked
    case 'refused':
      return findingTexts.refused(detail)
    case 'no answer':
      return detail ?? findingTexts.noAnswer
    case 'held back':
      return findingTexts.heldBack(detail)
    case 'closed early':
      return findingTexts.closedEarly(closedEarly)
    case 'lost':
      return findingTexts.lost
    case 'not offered':
      return findingTexts.notOffered
    case 'sent away':
      return reason ? describeCloseWithin({ code: reason.code }) : findingTexts.dismissed
  }
}
