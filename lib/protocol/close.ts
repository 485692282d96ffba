/** Why a link or a channel ended: a closed list, split by what the other side does next (S9). */

export type Fate = 'retry' | 'sign-in' | 'stop'

interface CloseEntry {
  readonly number: number
  readonly fate: Fate
  readonly sentence: string
}

const entries = {
  lost: { number: 1, fate: 'retry', sentence: 'The connection broke.' },
  'going-away': { number: 2, fate: 'retry', sentence: 'The server is restarting.' },
  timeout: { number: 3, fate: 'retry', sentence: 'Nothing was heard for too long.' },
  overloaded: { number: 4, fate: 'retry', sentence: 'The server is busy.' },
  drained: { number: 6, fate: 'retry', sentence: 'Another link took over.' },
  refused: { number: 7, fate: 'retry', sentence: 'No connection could be opened this way.' },
  'not-offered': { number: 8, fate: 'retry', sentence: 'This server does not offer it.' },
  behind: { number: 9, fate: 'retry', sentence: 'An edit builds on text that is still on its way.' },
  'handed-over': { number: 10, fate: 'retry', sentence: 'Another window takes over the connection.' },
  'set-aside': {
    number: 11,
    fate: 'retry',
    sentence: 'This document is closed for now, because the server failed on it again and again.',
  },
  done: { number: 20, fate: 'stop', sentence: 'Closed by this side.' },
  'sign-in': { number: 40, fate: 'sign-in', sentence: 'Sign in again.' },
  'bad-frame': { number: 60, fate: 'stop', sentence: 'A frame could not be decoded.' },
  'bad-message': { number: 61, fate: 'stop', sentence: 'A message is out of range.' },
  'bad-update': { number: 62, fate: 'stop', sentence: 'An edit is not a valid Yjs update.' },
  'bad-document': { number: 63, fate: 'stop', sentence: 'That is not a document id.' },
  'too-large': { number: 64, fate: 'stop', sentence: 'A message is larger than the limit.' },
  forbidden: { number: 65, fate: 'stop', sentence: 'There is no such document, or you may not see it.' },
  taken: { number: 67, fate: 'stop', sentence: 'Somebody else writes under this window’s id: reload it.' },
  'too-costly': { number: 68, fate: 'stop', sentence: 'An edit takes too much of the server’s time.' },
  version: { number: 66, fate: 'stop', sentence: 'This page is out of date: reload it.' },
} as const satisfies Record<string, CloseEntry>

export type CloseCode = keyof typeof entries

export interface CloseReason {
  readonly code: CloseCode
  /** What exactly, with the real values. Shown in the dialog's evidence and in logs. */
  readonly detail?: string
  readonly retryAfterMs?: number
}

export const closeCodes = Object.keys(entries) as CloseCode[]

export const closeEntry = (code: CloseCode): CloseEntry => entries[code]

export const fateOf = (reason: CloseReason): Fate => entries[reason.code].fate

/** An unknown number means `lost`, whose fate is to retry (S9). */
export const closeCodeOf = (number: number): CloseCode =>
  closeCodes.find((code) => entries[code].number === number) ?? 'lost'

export const closeNumber = (code: CloseCode): number => entries[code].number

export const describeClose = ({ code, detail }: CloseReason): string =>
  detail ? `${entries[code].sentence} (${detail})` : entries[code].sentence

/** Of an edit that was refused. `forbidden` says that there is no document only where the document itself is refused. */
export const describeRefusal = (reason: CloseReason): string =>
  reason.code === 'forbidden' ? (reason.detail ?? 'You may not make this change.') : describeClose(reason)

/** Within a sentence: "the connection broke (403)". */
export function describeWithin({ code, detail }: CloseReason): string {
  const sentence = entries[code].sentence.replace(/\.$/, '')
  const within = sentence.charAt(0).toLowerCase() + sentence.slice(1)
  return detail ? `${within} (${detail})` : within
}
