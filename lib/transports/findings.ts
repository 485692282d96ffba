/** What was found of each transport, in words: why this one is in use, and why not the others. */
import { describeWithin } from '../protocol/close.ts'
import type { Evidence, Knowledge } from './evidence.ts'
import type { TransportId } from './transport.ts'

export interface Finding {
  readonly transport: TransportId
  /** "in use", "refused (403)", "held back: no answer within 2.0 s". */
  readonly words: string
  /** Milliseconds on the session's clock, as `Evidence.at`. Undefined where nothing was tried. */
  readonly at?: number
}

const notOffered = 'not offered by this server'

/** @param known In the order of preference, which the findings keep. */
export function findingsOf(known: readonly TransportId[], knowledge: Knowledge): readonly Finding[] {
  return known.map((transport) => {
    const { offers, evidence } = knowledge
    if (offers && !offers.includes(transport)) return { transport, words: notOffered }
    const latest = evidence.get(transport)
    if (!latest) return { transport, words: 'not tried' }
    return { transport, words: wordsOf(latest) + uploadsInWords(transport, knowledge), at: latest.at }
  })
}

const wordsOf = (latest: Evidence): string =>
  outcomeInWords(latest) + (latest.past ? ', before the network changed' : '')

/** They go up by the same connection that the frames come down by. */
const bothWays: readonly TransportId[] = ['websocket', 'memory']

const uploadsInWords = (transport: TransportId, { inUse, postsOnly }: Knowledge): string =>
  transport === inUse && postsOnly && !bothWays.includes(transport)
    ? ', by single requests: a streamed one was held back'
    : ''

function outcomeInWords({ outcome, reason, closedEarly }: Evidence): string {
  const detail = reason?.detail
  switch (outcome) {
    case 'in use':
    case 'worked':
      return outcome
    case 'refused':
      return detail ? `refused (${detail})` : 'refused'
    case 'no answer':
      return detail ?? 'no answer'
    case 'held back':
      return detail ? `held back: ${detail}` : 'held back'
    case 'closed early':
      return `closed early${timesInWords(closedEarly)}`
    case 'lost':
      return 'worked until the connection broke'
    case 'not offered':
      return notOffered
    case 'sent away':
      return reason ? describeWithin({ code: reason.code }) : 'sent away'
  }
}

function timesInWords(times: number): string {
  if (times < 2) return ''
  return times === 2
    ? ' twice'
    : ` ${['three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][times - 3] ?? times} times`
}
