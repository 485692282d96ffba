/** Carries a result in the fragment of a link, which no server sees, and in this browser's storage. */
import type { ResultEnvironment } from './read-result.ts'

/** The kind of result that one page of the lab measures. */
export interface ResultKind<Result extends ResultEnvironment> {
  readonly page: '/lab' | '/lab/dashboard'
  /** The storage key in this browser. */
  readonly key: string
  /** The name of an exported file, before its date. */
  readonly file: string
  /** Returns undefined for an invalid result: a link may carry anybody's. */
  read(value: unknown): Result | undefined
}

type ResultReader<Result extends ResultEnvironment> = Pick<ResultKind<Result>, 'key' | 'read'>

const FRAGMENT_NAME = 'result='
/** What fits into a link that a mail program leaves intact, with a margin. */
const MAX_FRAGMENT_LENGTH = 64 * 1024
const MAX_STORED_RESULTS = 20

export function resultLink(result: ResultEnvironment, page: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify(result))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${page}#${FRAGMENT_NAME}${text}`
}

/** Undefined if the address carries no result; null if it carries an unreadable one. */
export function resultInHash<Result extends ResultEnvironment>(
  hash: string,
  { read }: Pick<ResultReader<Result>, 'read'>,
): Result | null | undefined {
  const text = hash.replace(/^#/, '')
  if (!text.startsWith(FRAGMENT_NAME)) return undefined
  if (text.length > MAX_FRAGMENT_LENGTH) return null
  try {
    const binary = atob(text.slice(FRAGMENT_NAME.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    return read(JSON.parse(new TextDecoder().decode(bytes))) ?? null
  } catch {
    return null
  }
}

type ResultStorage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Newest first. Storage may be blocked, and its content is untrusted. */
export function readStoredResults<Result extends ResultEnvironment>(
  { key, read }: ResultReader<Result>,
  storage: () => ResultStorage,
): readonly Result[] {
  try {
    const list: unknown = JSON.parse(storage().getItem(key) ?? '[]')
    return Array.isArray(list) ? list.map(read).filter((one) => one !== undefined) : []
  } catch {
    return []
  }
}

/** @returns Whether this browser stored it. */
export function storeResults<Result extends ResultEnvironment>(
  { key }: Pick<ResultReader<Result>, 'key'>,
  results: readonly Result[],
  storage: () => ResultStorage,
): boolean {
  try {
    storage().setItem(key, JSON.stringify(results.slice(0, MAX_STORED_RESULTS)))
    return true
  } catch {
    return false
  }
}
