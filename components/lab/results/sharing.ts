/** A result on its way: in the fragment of a link, which no server sees, and in this browser's storage. */
import type { Surroundings } from './reading.ts'

/** What one page of the lab measures. */
export interface ResultKind<Result extends Surroundings> {
  readonly page: '/lab' | '/lab/dashboard'
  /** Where this browser keeps them. */
  readonly key: string
  /** What an exported file is called, before its date. */
  readonly file: string
  /** Undefined for what is no result: a link may bring anybody's. */
  read(value: unknown): Result | undefined
}

type Reading<Result extends Surroundings> = Pick<ResultKind<Result>, 'key' | 'read'>

const NAME = 'result='
/** What fits in a link that a mail program leaves whole, with room. */
const MAX_CHARS = 64 * 1024
const MAX_KEPT = 20

export function linkTo(result: Surroundings, page: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify(result))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${page}#${NAME}${text}`
}

/** Undefined where the address carries none; null where what it carries cannot be read. */
export function resultIn<Result extends Surroundings>(
  hash: string,
  { read }: Pick<Reading<Result>, 'read'>,
): Result | null | undefined {
  const text = hash.replace(/^#/, '')
  if (!text.startsWith(NAME)) return undefined
  if (text.length > MAX_CHARS) return null
  try {
    const binary = atob(text.slice(NAME.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    return read(JSON.parse(new TextDecoder().decode(bytes))) ?? null
  } catch {
    return null
  }
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Newest first. Anybody may have written there, and storage can be forbidden. */
export function keptResults<Result extends Surroundings>(
  { key, read }: Reading<Result>,
  storage: () => Storage,
): readonly Result[] {
  try {
    const list: unknown = JSON.parse(storage().getItem(key) ?? '[]')
    return Array.isArray(list) ? list.map(read).filter((one) => one !== undefined) : []
  } catch {
    return []
  }
}

/** @returns Whether this browser took it. */
export function keepResults<Result extends Surroundings>(
  { key }: Pick<Reading<Result>, 'key'>,
  results: readonly Result[],
  storage: () => Storage,
): boolean {
  try {
    storage().setItem(key, JSON.stringify(results.slice(0, MAX_KEPT)))
    return true
  } catch {
    return false
  }
}
