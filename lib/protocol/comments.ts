/**
 * The form of comments in their Y.Doc, which the client reads and the server checks: a root map of threads by their ids. A thread
 * is a map of `anchor`, `messages` (an array of maps) and `resolved`; a message is a map of `id`, `author`, `at`, `text` and
 * `editedAt`.
 */

export const THREADS = 'threads'
export const MAX_THREADS = 2_000
export const MAX_THREAD_MESSAGES = 500
export const MAX_QUOTE_LENGTH = 500
