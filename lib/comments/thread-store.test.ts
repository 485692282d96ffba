import * as Y from 'yjs'
import { expect, test } from 'vitest'
import {
  commentProblem,
  deleteMessage,
  editMessage,
  reopenThread,
  replyToThread,
  resolveThread,
  startThread,
} from './edit-threads.ts'
import {
  type ThreadAnchor,
  MAX_COMMENT_LENGTH,
  MAX_THREAD_MESSAGES,
  storedThreadsOf,
} from './stored-thread.ts'
import { threadStoreOf } from './thread-store.ts'

const ada = { id: 'ada', name: 'Ada' }
const bob = { id: 'bob', name: 'Bob' }
const anchor: ThreadAnchor = { from: 'AAA=', to: 'AAA=', quote: 'words', before: '', after: '' }

/** Two windows: each edits alone until they exchange their edits. */
function twoWindows() {
  const [a, b] = [new Y.Doc(), new Y.Doc()]
  const exchange = (): void => {
    const [fromA, fromB] = [Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)), Y.encodeStateAsUpdate(b)]
    Y.applyUpdate(b, fromA)
    Y.applyUpdate(a, fromB)
    expect(threadStoreOf(a).get()).toEqual(threadStoreOf(b).get())
  }
  return { a, b, exchange }
}

function twoWindowsWithThread() {
  const windows = twoWindows()
  const id = startThread(windows.a, anchor, ada, 'What is this?')
  windows.exchange()
  return { ...windows, id }
}

const messageTexts = (doc: Y.Doc) =>
  threadStoreOf(doc)
    .get()
    .flatMap(({ messages }) => messages.map(({ text }) => text))
const onlyThread = (doc: Y.Doc) => threadStoreOf(doc).get()[0]!

test('a thread that one window starts is there in the other', () => {
  const { b, id } = twoWindowsWithThread()
  const { messages, ...rest } = onlyThread(b)
  expect(rest).toEqual({ id, anchor })
  expect(messages).toMatchObject([{ author: ada, text: 'What is this?' }])
})

test('when two people reply at once both replies stay, in the same order everywhere', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  replyToThread(a, id, ada, 'mine')
  replyToThread(b, id, bob, 'yours')
  exchange()
  expect(messageTexts(a).toSorted()).toEqual(['What is this?', 'mine', 'yours'])
})

test('a reply that comes while somebody resolves opens the thread again; one known before does not', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  resolveThread(a, id, ada)
  expect(onlyThread(a).resolved?.by).toEqual(ada)
  replyToThread(b, id, bob, 'wait')
  exchange()
  expect(onlyThread(a).resolved).toBeUndefined()
  resolveThread(b, id, bob)
  exchange()
  expect(onlyThread(a).resolved?.by).toEqual(bob)
})

test('a resolved thread stays resolved when its last message is deleted, and opens when it is reopened', () => {
  const { a, id } = twoWindowsWithThread()
  replyToThread(a, id, bob, 'done')
  resolveThread(a, id, ada)
  deleteMessage(a, id, onlyThread(a).messages[1]!.id)
  expect(onlyThread(a).resolved).toBeDefined()
  reopenThread(a, id)
  expect(onlyThread(a).resolved).toBeUndefined()
})

test('a message is changed in its place, and says so', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  editMessage(a, id, onlyThread(a).messages[0]!.id, ' What is that? ')
  exchange()
  expect(onlyThread(b).messages).toMatchObject([{ text: 'What is that?', editedAt: expect.any(Number) }])
})

test('a deleted message comes back in its place', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  replyToThread(a, id, ada, 'second')
  replyToThread(a, id, ada, 'third')
  const before = onlyThread(a)
  const undo = deleteMessage(a, id, before.messages[1]!.id)
  exchange()
  expect(messageTexts(b)).toEqual(['What is this?', 'third'])
  undo!()
  exchange()
  expect(onlyThread(b)).toEqual(before)
})

test('a thread without messages is not shown; a reply on its way keeps it', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  deleteMessage(a, id, onlyThread(a).messages[0]!.id)
  expect(threadStoreOf(a).get()).toEqual([])
  replyToThread(b, id, bob, 'still here')
  exchange()
  expect(messageTexts(a)).toEqual(['still here'])
  expect(onlyThread(a).firstDeleted).toBe(true)
})

test('replies to a deleted comment stay and say so, until it is back', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  replyToThread(a, id, bob, 'a reply')
  const before = onlyThread(a)
  const undo = deleteMessage(a, id, before.messages[0]!.id)
  exchange()
  expect(onlyThread(b)).toMatchObject({ firstDeleted: true, messages: [{ text: 'a reply' }] })
  undo!()
  exchange()
  expect(onlyThread(b)).toEqual(before)
})

test('a thread is the same object until something in it changes', () => {
  const { a, id } = twoWindowsWithThread()
  startThread(a, anchor, bob, 'another')
  const before = new Map(
    threadStoreOf(a)
      .get()
      .map((thread) => [thread.id, thread]),
  )
  replyToThread(a, id, ada, 'more')
  for (const thread of threadStoreOf(a).get()) expect(thread === before.get(thread.id)).toBe(thread.id !== id)
})

test('a text that is too long or empty is refused in words', () => {
  const doc = new Y.Doc()
  expect(commentProblem(' \n ')).toBe('There is nothing to send yet.')
  expect(commentProblem('x'.repeat(MAX_COMMENT_LENGTH))).toBeNull()
  const long = 'x'.repeat(MAX_COMMENT_LENGTH + 1)
  expect(() => startThread(doc, anchor, ada, long)).toThrow('at most 10,000 characters; this one has 10,001')
  const id = startThread(doc, anchor, ada, 'first')
  for (let count = 1; count < MAX_THREAD_MESSAGES; count++) replyToThread(doc, id, ada, 'more')
  expect(() => replyToThread(doc, id, ada, 'one more')).toThrow('at most 500 messages')
})

const message = (fields: Record<string, unknown>) =>
  new Y.Map(Object.entries({ id: 'm', author: ada, at: 1, text: 'hello', ...fields }))

const stored = (fields: Record<string, unknown>, ...messages: (string | Y.Map<unknown>)[]) =>
  new Y.Map<unknown>(Object.entries({ anchor, messages: Y.Array.from(messages as string[]), ...fields }))

test.each<[string, () => unknown]>([
  ['text', () => 'x'],
  ['an array', () => Y.Array.from([message({})])],
  ['a map without anything', () => new Y.Map()],
  ['no message', () => stored({})],
  ['messages that are text', () => stored({ messages: 'hello' })],
  ['a message that is text', () => stored({}, 'hello')],
  ['a message without an author', () => stored({}, message({ author: null }))],
  ['an author whose id is an object', () => stored({}, message({ author: { id: {}, name: 'x' } }))],
  ['a message whose text is shared text', () => stored({}, message({ text: new Y.Text('x') }))],
  ['a message of no time', () => stored({}, message({ at: Number.NaN }))],
  ['a message beyond all dates', () => stored({}, message({ at: 1e300 }))],
])('an entry by others that is no thread is not shown: %s', (_title, value) => {
  const doc = new Y.Doc()
  storedThreadsOf(doc).set('x', value())
  expect(threadStoreOf(doc).get()).toEqual([])
})

test.each<[string, unknown, string]>([
  ['is missing', undefined, ''],
  ['is a number', 7, ''],
  ['is a megabyte', { ...anchor, from: 'A'.repeat(1e6), to: 'A'.repeat(1e6) }, 'words'],
])('a thread whose anchor %s is shown, and leads nowhere', (_what, value, quote) => {
  const doc = new Y.Doc()
  storedThreadsOf(doc).set('x', stored({ anchor: value }, message({})))
  expect(onlyThread(doc).anchor).toEqual({ from: '', to: '', quote, before: '', after: '' })
})

test('the valid part of what others wrote is shown, up to the limits', () => {
  const doc = new Y.Doc()
  const long = 'x'.repeat(1e5)
  const many = Array.from({ length: MAX_THREAD_MESSAGES + 1 }, (_, at) => message({ id: `m${at}` }))
  const odd = message({ author: { id: 'ada', name: long }, text: long, editedAt: 'today', id: 'm0' })
  storedThreadsOf(doc).set('x', stored({ anchor: { ...anchor, quote: {} }, resolved: 'yes' }, odd, ...many))
  const { messages, ...rest } = onlyThread(doc)
  expect(rest).toEqual({ id: 'x', anchor: { ...anchor, quote: '' } })
  expect(messages).toHaveLength(MAX_THREAD_MESSAGES - 1)
  expect(messages[0]).toEqual({
    id: 'm0',
    author: { id: 'ada', name: 'x'.repeat(80) },
    at: 1,
    text: 'x'.repeat(MAX_COMMENT_LENGTH),
  })
})

test('a document with something else in place of the threads has none', () => {
  const [theirs, ours] = [new Y.Doc(), new Y.Doc()]
  theirs.getArray('threads').push(['x'])
  Y.applyUpdate(ours, Y.encodeStateAsUpdate(theirs))
  expect(threadStoreOf(ours).get()).toEqual([])
})
