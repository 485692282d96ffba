/** A result on its way: in the fragment of a link, which no server sees, and in this browser's storage. */
import type { ResultEnvironment } from './read-result.ts'

/** What one page of the lab measures. */
export interface ResultKind<Result extends ResultEnvironment> {
  readonly page: '/lab' | '/lab/dashboard'
  /** Where this browser keeps them. */
  readonly key: string
  /** What an exported file is called, before its date. */
  readonly file: string
  /** Undefined for what is no result: a link may bring anybody's. */
  read(value: unknown): Result | undefined
}

type ResultReader<Result extends ResultEnvironment> = Pick<ResultKind<Result>, 'key' | 'read'>

const FRAGMENT_NAME = 'result='
/** What fits in a link that a mail program leaves whole, with room. */
const MAX_FRAGMENT_LENGTH = 64 * 1024
const MAX_STORED_RESULTS = 20

export function resultLink(result: ResultEnvironment, page: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify(result))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${page}#${FRAGMENT_NAME}${text}`
}

/** Undefined where the address carries none; null where what it carries cannot be read. */
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

/** Newest first. Anybody may have written there, and storage can be forbidden. */
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

/** @returns Whether this browser took it. */
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
