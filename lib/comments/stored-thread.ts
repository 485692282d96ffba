/**
 * Reads a comments document into plain objects. Anybody with write access may write anything there: each field is checked when it is
 * read, and invalid values are left out. Knows nothing of the text that is commented on.
 */
import { fieldsOf } from '../protocol/value-reader.ts'
import * as Y from 'yjs'
import { MAX_QUOTE_LENGTH, MAX_THREAD_MESSAGES, MAX_THREADS, THREADS } from '../protocol/comments.ts'
import { namesStrings } from '../strings/names.ts'

export { MAX_THREAD_MESSAGES, MAX_THREADS }
export const MAX_COMMENT_LENGTH = 10_000
const MAX_NAME_LENGTH = 80
const MAX_ID_LENGTH = 64
/** A relative position takes some twenty letters in base64. */
const MAX_POSITION_LENGTH = 120

export interface CommentAuthor {
  readonly id: string
  readonly name: string
}

export interface CommentMessage {
  readonly id: string
  readonly author: CommentAuthor
  /** In ms since 1970, by the author's clock. */
  readonly at: number
  readonly text: string
  readonly editedAt?: number
}

export interface ThreadAnchor {
  /** Relative positions in the text, in base64: `from` keeps to the letter after it, `to` to the one before it. */
  readonly from: string
  readonly to: string
  /** The letters between them when this was written, and some around: with these the place may be found where both positions are dead. */
  readonly quote: string
  readonly before: string
  readonly after: string
}

export interface Thread {
  readonly id: string
  readonly anchor: ThreadAnchor
  /** Has at least one message. */
  readonly messages: readonly CommentMessage[]
  /** The first message, which the others reply to, is deleted. */
  readonly firstDeleted?: true
  readonly resolved?: { readonly by: CommentAuthor; readonly at: number }
}

export type StoredMap = Y.Map<unknown>

export const storedThreadsOf = (doc: Y.Doc): StoredMap => doc.getMap(THREADS)

/** Returns null for what is no thread, and for one whose messages were all deleted. */
export function readThread(id: string, stored: unknown): Thread | null {
  if (!(stored instanceof Y.Map) || id.length > MAX_ID_LENGTH) return null
  const anchor = readAnchor(stored.get('anchor'))
  const messages = readMessages(stored)
  if (messages.length === 0) return null
  const resolved = readResolved(stored.get('resolved'), messages)
  const firstDeleted = stored.get('firstDeleted') === true
  return { id, anchor, messages, ...(firstDeleted && { firstDeleted }), ...(resolved && { resolved }) }
}

/** The messages of a thread as they are stored; none where something else is stored in their place. */
export function storedMessagesOf(stored: StoredMap): StoredMap[] {
  const list = stored.get('messages')
  if (!(list instanceof Y.Array)) return []
  return list
    .slice(0, MAX_THREAD_MESSAGES)
    .filter((each: unknown): each is StoredMap => each instanceof Y.Map)
}

function readMessages(stored: StoredMap): CommentMessage[] {
  const messages = new Map<string, CommentMessage>()
  for (const message of storedMessagesOf(stored).map(readMessage))
    if (message && !messages.has(message.id)) messages.set(message.id, message)
  return [...messages.values()]
}

function readMessage(stored: StoredMap): CommentMessage | null {
  const [id, author, at] = [stored.get('id'), readAuthor(stored.get('author')), stored.get('at')]
  const text = readText(stored.get('text'), MAX_COMMENT_LENGTH)
  if (!isId(id) || !author || !isTime(at) || text === null || text === '') return null
  const editedAt = stored.get('editedAt')
  return { id, author, at, text, ...(isTime(editedAt) && { editedAt }) }
}

/** Missing positions become invalid ones: a comment must not disappear because somebody removed its position. */
function readAnchor(value: unknown): ThreadAnchor {
  const { from, to, quote, before, after } = fieldsOf(value)
  const text = (field: unknown) => readText(field, MAX_QUOTE_LENGTH) ?? ''
  const position = (field: unknown) => (isPosition(field) ? field : '')
  return {
    from: position(from),
    to: position(to),
    quote: text(quote),
    before: text(before),
    after: text(after),
  }
}

/** A reply opens a resolved thread again, even if its author did not know of that. So a thread is resolved up to a message. */
function readResolved(value: unknown, messages: readonly CommentMessage[]): Thread['resolved'] {
  const { by, at, after } = fieldsOf(value)
  const author = readAuthor(by)
  if (!author || !isTime(at)) return undefined
  const last = messages.findIndex(({ id }) => id === after)
  return last === -1 || last === messages.length - 1 ? { by: author, at } : undefined
}

function readAuthor(value: unknown): CommentAuthor | null {
  const { id, name } = fieldsOf(value)
  if (!isId(id)) return null
  return { id, name: readText(name, MAX_NAME_LENGTH)?.trim() || namesStrings.guest }
}

const readText = (value: unknown, limit: number): string | null =>
  typeof value === 'string' ? value.slice(0, limit) : null

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH

const isPosition = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_POSITION_LENGTH

/** JavaScript has no dates beyond these. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= 8_640_000_000_000_000
