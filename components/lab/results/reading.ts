/** How a result is read that anybody may have written. Undefined for what it is not: nothing is guessed. */

import type { LinkInfo } from '@/lib/transports/transport.ts'

type Said = Readonly<Record<string, unknown>>

const MAX_TEXT = 200
export const MAX_MS = 60 * 60_000
/** The last moment that a Date can say. */
const MAX_AT = 8.64e15

export const isSaid = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT
export const isAmount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most

/** What every result says of itself. */
export interface Surroundings {
  /** 1 did not tell ways up, nor whether the network was simulated. */
  readonly version: 1 | 2
  /** ms since 1970. */
  readonly at: number
  readonly browser: string
  /** `https:` or `http:`. */
  readonly scheme: string
}

export function readSurroundings({ version, at, browser, scheme }: Said): Surroundings | undefined {
  if ((version !== 1 && version !== 2) || !isAmount(at, MAX_AT) || !isText(browser)) return undefined
  return scheme === 'http:' || scheme === 'https:' ? { version, at, browser, scheme } : undefined
}

export type Carrier = Partial<Pick<LinkInfo, 'up' | 'simulated'>>

const ways: readonly LinkInfo['up'][] = ['frames', 'streamed body', 'batched posts']

/** What is known of the link, beside its transport and protocol. */
export function readCarrier({ up, simulated }: Said): Carrier {
  const way = ways.find((one) => one === up)
  return { ...(way && { up: way }), ...(simulated === true && { simulated }) }
}

export function readList<Of>(
  value: unknown,
  most: number,
  read: (one: unknown) => Of | undefined,
): Of[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const list = value.map(read)
  return list.every((one) => one !== undefined) ? list : undefined
}
