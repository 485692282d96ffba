/** What people do with comments. Each is one transaction. Who may, is asked before: a viewer's edit the server refuses. */
import * as Y from 'yjs'
import { randomId } from '../protocol/ids.ts'
import {
  type Anchor,
  type Author,
  MAX_COMMENT_LENGTH,
  MAX_MESSAGES,
  MAX_THREADS,
  messagesIn,
  type Stored,
  threadsOf,
} from './thread.ts'
import { strings } from '../strings/input-problems.ts'

/** Why this text cannot be a comment, null where it can. */
export function commentProblem(text: string): string | null {
  const { length } = text.trim()
  if (length === 0) return strings.comment.empty
  return length <= MAX_COMMENT_LENGTH ? null : strings.comment.tooLong(MAX_COMMENT_LENGTH, length)
}

/** @throws {RangeError} in words for a person: too long, too many. */
export function startThread(doc: Y.Doc, anchor: Anchor, author: Author, text: string): string {
  const threads = threadsOf(doc)
  if (threads.size >= MAX_THREADS) throw new RangeError(strings.comment.tooManyThreads(MAX_THREADS))
  const id = randomId()
  const messages = Y.Array.from([newMessage(author, text)])
  threads.set(id, new Y.Map<unknown>(Object.entries({ anchor: { ...anchor }, messages })))
  return id
}

/** @throws {RangeError} in words for a person. */
export function reply(doc: Y.Doc, thread: string, author: Author, text: string): void {
  const messages = listOf(doc, thread)
  if (!messages) return
  if (messages.length >= MAX_MESSAGES) throw new RangeError(strings.comment.tooManyMessages(MAX_MESSAGES))
  messages.push([newMessage(author, text)])
}

/** Up to its last message: a reply that comes after it, also one on its way just now, opens the thread again. */
export function resolve(doc: Y.Doc, thread: string, by: Author): void {
  const stored = storedIn(doc, thread)
  const after = stored && messagesIn(stored).at(-1)?.get('id')
  stored?.set('resolved', { by: { id: by.id, name: by.name }, at: Date.now(), after })
}

export function reopen(doc: Y.Doc, thread: string): void {
  storedIn(doc, thread)?.delete('resolved')
}

/** The thread's place after an edit that the positions did not survive. */
export function moveThread(doc: Y.Doc, thread: string, anchor: Anchor): void {
  storedIn(doc, thread)?.set('anchor', { ...anchor })
}

/** @throws {RangeError} in words for a person. */
export function editMessage(doc: Y.Doc, thread: string, message: string, text: string): void {
  const checked = checkedText(text)
  doc.transact(() => {
    const stored = storedMessage(doc, thread, message)
    stored?.set('text', checked)
    stored?.set('editedAt', Date.now())
  })
}

/**
 * The text goes for good. A thread stays where it is without messages, and is not shown: so a reply that somebody writes at this
 * moment is not lost with it. Where the first goes its replies stay, and say so.
 *
 * @returns What puts it back, null where there was none.
 */
export function deleteMessage(doc: Y.Doc, thread: string, message: string): (() => void) | null {
  const list = listOf(doc, thread)
  const index = list ? indexOf(list, message) : -1
  const stored = list?.get(index)
  if (!list || !(stored instanceof Y.Map)) return null
  const fields = [...stored.entries()].filter(([, value]) => !(value instanceof Y.AbstractType))
  const isFirst = index === 0 && storedIn(doc, thread)?.get('firstDeleted') !== true
  doc.transact(() => {
    list.delete(index)
    if (isFirst) storedIn(doc, thread)?.set('firstDeleted', true)
  })
  return () =>
    doc.transact(() => {
      listOf(doc, thread)?.insert(Math.min(index, list.length), [new Y.Map<unknown>(fields)])
      if (isFirst) storedIn(doc, thread)?.delete('firstDeleted')
    })
}

function newMessage({ id, name }: Author, text: string): Stored {
  const fields = { id: randomId(), author: { id, name }, at: Date.now(), text: checkedText(text) }
  return new Y.Map<unknown>(Object.entries(fields))
}

function checkedText(text: string): string {
  const problem = commentProblem(text)
  if (problem) throw new RangeError(problem)
  return text.trim()
}

function storedIn(doc: Y.Doc, thread: string): Stored | undefined {
  const stored = threadsOf(doc).get(thread)
  return stored instanceof Y.Map ? stored : undefined
}

function listOf(doc: Y.Doc, thread: string): Y.Array<unknown> | undefined {
  const list = storedIn(doc, thread)?.get('messages')
  return list instanceof Y.Array ? list : undefined
}

const storedMessage = (doc: Y.Doc, thread: string, message: string): Stored | undefined => {
  const stored = storedIn(doc, thread)
  return stored && messagesIn(stored).find((each) => each.get('id') === message)
}

const indexOf = (list: Y.Array<unknown>, message: string): number =>
  list.toArray().findIndex((each) => each instanceof Y.Map && each.get('id') === message)
