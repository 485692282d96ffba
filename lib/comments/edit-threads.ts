/** The edits that people make to comments, each in one transaction. Callers check who may: the server refuses a viewer's edit. */
import * as Y from 'yjs'
import { randomId } from '../protocol/ids.ts'
import {
  type ThreadAnchor,
  type CommentAuthor,
  MAX_COMMENT_LENGTH,
  MAX_THREAD_MESSAGES,
  MAX_THREADS,
  storedMessagesOf,
  type StoredMap,
  storedThreadsOf,
} from './stored-thread.ts'
import { commentProblemsStrings } from '../strings/comment-problems.ts'

/** Returns why this text cannot be a comment, null where it can. */
export function commentProblem(text: string): string | null {
  const { length } = text.trim()
  if (length === 0) return commentProblemsStrings.empty
  return length <= MAX_COMMENT_LENGTH ? null : commentProblemsStrings.tooLong(MAX_COMMENT_LENGTH, length)
}

/** @throws {RangeError} in words for a person: too long, or too many. */
export function startThread(doc: Y.Doc, anchor: ThreadAnchor, author: CommentAuthor, text: string): string {
  const threads = storedThreadsOf(doc)
  if (threads.size >= MAX_THREADS) throw new RangeError(commentProblemsStrings.tooManyThreads(MAX_THREADS))
  const id = randomId()
  const messages = Y.Array.from([newMessage(author, text)])
  threads.set(id, new Y.Map<unknown>(Object.entries({ anchor: { ...anchor }, messages })))
  return id
}

/** @throws {RangeError} in words for a person. */
export function replyToThread(doc: Y.Doc, thread: string, author: CommentAuthor, text: string): void {
  const messages = messageListOf(doc, thread)
  if (!messages) return
  if (messages.length >= MAX_THREAD_MESSAGES)
    throw new RangeError(commentProblemsStrings.tooManyMessages(MAX_THREAD_MESSAGES))
  messages.push([newMessage(author, text)])
}

/** Resolves up to the last message: a reply that comes after it, even one that is on its way now, opens the thread again. */
export function resolveThread(doc: Y.Doc, thread: string, by: CommentAuthor): void {
  const stored = storedThread(doc, thread)
  const after = stored && storedMessagesOf(stored).at(-1)?.get('id')
  stored?.set('resolved', { by: { id: by.id, name: by.name }, at: Date.now(), after })
}

export function reopenThread(doc: Y.Doc, thread: string): void {
  storedThread(doc, thread)?.delete('resolved')
}

/** Stores the thread's new place after an edit that its positions did not survive. */
export function moveThread(doc: Y.Doc, thread: string, anchor: ThreadAnchor): void {
  storedThread(doc, thread)?.set('anchor', { ...anchor })
}

/** @throws {RangeError} in words for a person. */
export function editMessage(doc: Y.Doc, thread: string, message: string, text: string): void {
  const checked = validText(text)
  doc.transact(() => {
    const stored = storedMessage(doc, thread, message)
    stored?.set('text', checked)
    stored?.set('editedAt', Date.now())
  })
}

/**
 * Removes the text for good. A thread without messages stays in the document but is not shown, so that a reply which somebody writes at
 * this moment is not lost with it. When the first message goes, its replies stay and say so.
 * @returns A function that restores it, null where there was no such message.
 */
export function deleteMessage(doc: Y.Doc, thread: string, message: string): (() => void) | null {
  const list = messageListOf(doc, thread)
  const index = list ? messageIndexOf(list, message) : -1
  const stored = list?.get(index)
  if (!list || !(stored instanceof Y.Map)) return null
  const fields = [...stored.entries()].filter(([, value]) => !(value instanceof Y.AbstractType))
  const isFirst = index === 0 && storedThread(doc, thread)?.get('firstDeleted') !== true
  doc.transact(() => {
    list.delete(index)
    if (isFirst) storedThread(doc, thread)?.set('firstDeleted', true)
  })
  return () =>
    doc.transact(() => {
      messageListOf(doc, thread)?.insert(Math.min(index, list.length), [new Y.Map<unknown>(fields)])
      if (isFirst) storedThread(doc, thread)?.delete('firstDeleted')
    })
}

function newMessage({ id, name }: CommentAuthor, text: string): StoredMap {
  const fields = { id: randomId(), author: { id, name }, at: Date.now(), text: validText(text) }
  return new Y.Map<unknown>(Object.entries(fields))
}

function validText(text: string): string {
  const problem = commentProblem(text)
  if (problem) throw new RangeError(problem)
  return text.trim()
}

function storedThread(doc: Y.Doc, thread: string): StoredMap | undefined {
  const stored = storedThreadsOf(doc).get(thread)
  return stored instanceof Y.Map ? stored : undefined
}

function messageListOf(doc: Y.Doc, thread: string): Y.Array<unknown> | undefined {
  const list = storedThread(doc, thread)?.get('messages')
  return list instanceof Y.Array ? list : undefined
}

const storedMessage = (doc: Y.Doc, thread: string, message: string): StoredMap | undefined => {
  const stored = storedThread(doc, thread)
  return stored && storedMessagesOf(stored).find((each) => each.get('id') === message)
}

const messageIndexOf = (list: Y.Array<unknown>, message: string): number =>
  list.toArray().findIndex((each) => each instanceof Y.Map && each.get('id') === message)
