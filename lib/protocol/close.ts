/** Why a link or a channel ended: a closed list, split by what the other side does next (S9). */
import { refusalsStrings } from '../strings/refusals.ts'
import { withoutSettings } from '../strings/without-settings.ts'

export type CloseFate = 'retry' | 'sign-in' | 'stop'

interface CloseEntry {
  readonly number: number
  readonly fate: CloseFate
}

const closeEntries = {
  lost: { number: 1, fate: 'retry' },
  'going-away': { number: 2, fate: 'retry' },
  timeout: { number: 3, fate: 'retry' },
  overloaded: { number: 4, fate: 'retry' },
  drained: { number: 6, fate: 'retry' },
  refused: { number: 7, fate: 'retry' },
  'not-offered': { number: 8, fate: 'retry' },
  behind: { number: 9, fate: 'retry' },
  'handed-over': { number: 10, fate: 'retry' },
  'set-aside': { number: 11, fate: 'retry' },
  full: { number: 12, fate: 'retry' },
  done: { number: 20, fate: 'stop' },
  'sign-in': { number: 40, fate: 'sign-in' },
  'bad-frame': { number: 60, fate: 'stop' },
  'bad-message': { number: 61, fate: 'stop' },
  'bad-update': { number: 62, fate: 'stop' },
  'bad-document': { number: 63, fate: 'stop' },
  'too-large': { number: 64, fate: 'stop' },
  forbidden: { number: 65, fate: 'stop' },
  taken: { number: 67, fate: 'stop' },
  'too-costly': { number: 68, fate: 'stop' },
  version: { number: 66, fate: 'stop' },
} as const satisfies Record<string, CloseEntry>

export type CloseCode = keyof typeof closeEntries

export interface CloseReason {
  readonly code: CloseCode
  /** The details, with the real values. They are shown in the dialog's evidence and in logs. */
  readonly detail?: string
  readonly retryAfterMs?: number
}

export const closeCodes = Object.keys(closeEntries) as CloseCode[]

/** Returns the sentence that tells a person why a link or a channel ended. */
export const closeSentence = (code: CloseCode): string => refusalsStrings.ended[code]

export const fateOf = (reason: CloseReason): CloseFate => closeEntries[reason.code].fate

/** An unknown number means `lost`, whose fate is to retry (S9). */
export const closeCodeOf = (number: number): CloseCode =>
  closeCodes.find((code) => closeEntries[code].number === number) ?? 'lost'

export const closeNumber = (code: CloseCode): number => closeEntries[code].number

export const describeClose = ({ code, detail }: CloseReason): string =>
  detail ? refusalsStrings.withDetail(closeSentence(code), withoutSettings(detail)) : closeSentence(code)

/** Describes why a document waits. The detail of `full` says whose space it is, in a sentence of its own. */
export const describeWait = (reason: CloseReason): string =>
  reason.code === 'full' && reason.detail ? reason.detail : describeClose(reason)

/** Describes why an edit was refused. Only for a refused document does `forbidden` mean that there is no document. */
export const describeRefusal = (reason: CloseReason): string =>
  reason.code === 'forbidden' ? (reason.detail ?? refusalsStrings.notYourChange) : describeClose(reason)

/** Describes a reason within a sentence: "the connection broke (403)". */
export function describeCloseWithin({ code, detail }: CloseReason): string {
  const sentence = closeSentence(code).replace(/\.$/, '')
  const within = sentence.charAt(0).toLowerCase() + sentence.slice(1)
  return detail ? refusalsStrings.withDetail(within, withoutSettings(detail)) : within
}
