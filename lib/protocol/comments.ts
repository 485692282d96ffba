/**
 * The form of comments in their Y.Doc, which the client reads and the server checks: a root map of threads by their ids. A thread
 * is a map of `anchor`, `messages` (an array of maps) and `resolved`; a message is a map of `id`, `author`, `at`, `text` and
 * `editedAt`.
 */

export const THREADS = 'threads'
export const MAX_THREADS = 2_000
export const MAX_THREAD_MESSAGES = 500
export const MAX_QUOTE_LENGTH = 500

type Fields = Readonly<Record<string, unknown>>

/** A value that is no object has no fields. Anybody with the right to write can write any value there. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
