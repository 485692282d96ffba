/** Reads results that anybody may have written. Undefined for anything invalid: nothing is guessed. */

import type { LinkInfo } from '@/lib/transports/transport.ts'

type JsonObject = Readonly<Record<string, unknown>>

const MAX_TEXT_LENGTH = 200
export const MAX_MS = 60 * 60_000
/** The last moment that a Date can represent. */
const MAX_TIME = 8.64e15

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
export const isNumberUpTo = (value: unknown, max: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= max

/** What every result says about its environment. */
export interface ResultEnvironment {
  /** Version 1 recorded neither the upload mode nor whether the network was simulated. */
  readonly version: 1 | 2
  /** ms since 1970. */
  readonly at: number
  readonly browser: string
  /** `https:` or `http:`. */
  readonly scheme: string
}

export function readResultEnvironment({
  version,
  at,
  browser,
  scheme,
}: JsonObject): ResultEnvironment | undefined {
  if ((version !== 1 && version !== 2) || !isNumberUpTo(at, MAX_TIME) || !isText(browser)) return undefined
  return scheme === 'http:' || scheme === 'https:' ? { version, at, browser, scheme } : undefined
}

export type ResultLinkInfo = Partial<Pick<LinkInfo, 'up' | 'simulated'>>

const uploadKinds: readonly LinkInfo['up'][] = ['frames', 'streamed body', 'batched posts']

/** What is known of the link besides its transport and protocol. */
export function readResultLinkInfo({ up, simulated }: JsonObject): ResultLinkInfo {
  const uploadKind = uploadKinds.find((one) => one === up)
  return { ...(uploadKind && { up: uploadKind }), ...(simulated === true && { simulated }) }
}

export function readList<Entry>(
  value: unknown,
  max: number,
  read: (one: unknown) => Entry | undefined,
): Entry[] | undefined {
  if (!Array.isArray(value) || value.length > max) return undefined
  const list = value.map(read)
  return list.every((one) => one !== undefined) ? list : undefined
}
