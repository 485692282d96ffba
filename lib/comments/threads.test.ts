import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { commentProblem, deleteMessage, editMessage, reopen, reply, resolve, startThread } from './edit.ts'
import { type Anchor, MAX_COMMENT_LENGTH, MAX_MESSAGES, threadsOf } from './thread.ts'
import { threadsIn } from './threads.ts'

const ada = { id: 'ada', name: 'Ada' }
const bob = { id: 'bob', name: 'Bob' }
const anchor: Anchor = { from: 'AAA=', to: 'AAA=', quote: 'words', before: '', after: '' }

/** Two windows: each edits alone until they exchange what they have. */
function twoWindows() {
  const [a, b] = [new Y.Doc(), new Y.Doc()]
  const exchange = (): void => {
    const [fromA, fromB] = [Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)), Y.encodeStateAsUpdate(b)]
    Y.applyUpdate(b, fromA)
    Y.applyUpdate(a, fromB)
    expect(threadsIn(a).get()).toEqual(threadsIn(b).get())
  }
  return { a, b, exchange }
}

function twoWindowsWithThread() {
  const windows = twoWindows()
  const id = startThread(windows.a, anchor, ada, 'What is this?')
  windows.exchange()
  return { ...windows, id }
}

const texts = (doc: Y.Doc) =>
  threadsIn(doc)
    .get()
    .flatMap(({ messages }) => messages.map(({ text }) => text))
const only = (doc: Y.Doc) => threadsIn(doc).get()[0]!

test('a thread that one window starts is there in the other', () => {
  const { b, id } = twoWindowsWithThread()
  const { messages, ...rest } = only(b)
  expect(rest).toEqual({ id, anchor })
  expect(messages).toMatchObject([{ author: ada, text: 'What is this?' }])
})

test('two people who reply at once are both heard, in the same order everywhere', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  reply(a, id, ada, 'mine')
  reply(b, id, bob, 'yours')
  exchange()
  expect(texts(a).toSorted()).toEqual(['What is this?', 'mine', 'yours'])
})

test('a reply that comes while somebody resolves opens the thread again; one known before does not', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  resolve(a, id, ada)
  expect(only(a).resolved?.by).toEqual(ada)
  reply(b, id, bob, 'wait')
  exchange()
  expect(only(a).resolved).toBeUndefined()
  resolve(b, id, bob)
  exchange()
  expect(only(a).resolved?.by).toEqual(bob)
})

test('a resolved thread stays resolved when its last message is deleted, and opens when asked to', () => {
  const { a, id } = twoWindowsWithThread()
  reply(a, id, bob, 'done')
  resolve(a, id, ada)
  deleteMessage(a, id, only(a).messages[1]!.id)
  expect(only(a).resolved).toBeDefined()
  reopen(a, id)
  expect(only(a).resolved).toBeUndefined()
})

test('a message is changed in its place, and says so', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  editMessage(a, id, only(a).messages[0]!.id, ' What is that? ')
  exchange()
  expect(only(b).messages).toMatchObject([{ text: 'What is that?', editedAt: expect.any(Number) }])
})

test('a deleted message comes back in its place', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  reply(a, id, ada, 'second')
  reply(a, id, ada, 'third')
  const before = only(a)
  const undo = deleteMessage(a, id, before.messages[1]!.id)
  exchange()
  expect(texts(b)).toEqual(['What is this?', 'third'])
  undo!()
  exchange()
  expect(only(b)).toEqual(before)
})

test('a thread without messages is not shown; a reply on its way keeps it', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  deleteMessage(a, id, only(a).messages[0]!.id)
  expect(threadsIn(a).get()).toEqual([])
  reply(b, id, bob, 'still here')
  exchange()
  expect(texts(a)).toEqual(['still here'])
  expect(only(a).firstDeleted).toBe(true)
})

test('replies to a deleted comment stay and say so, until it is back', () => {
  const { a, b, id, exchange } = twoWindowsWithThread()
  reply(a, id, bob, 'a reply')
  const before = only(a)
  const undo = deleteMessage(a, id, before.messages[0]!.id)
  exchange()
  expect(only(b)).toMatchObject({ firstDeleted: true, messages: [{ text: 'a reply' }] })
  undo!()
  exchange()
  expect(only(b)).toEqual(before)
})

test('a thread is the same object until something in it changes', () => {
  const { a, id } = twoWindowsWithThread()
  startThread(a, anchor, bob, 'another')
  const before = new Map(
    threadsIn(a)
      .get()
      .map((thread) => [thread.id, thread]),
  )
  reply(a, id, ada, 'more')
  for (const thread of threadsIn(a).get()) expect(thread === before.get(thread.id)).toBe(thread.id !== id)
})

test('what is too long or empty is refused in words', () => {
  const doc = new Y.Doc()
  expect(commentProblem(' \n ')).toBe('There is nothing to send yet.')
  expect(commentProblem('x'.repeat(MAX_COMMENT_LENGTH))).toBeNull()
  const long = 'x'.repeat(MAX_COMMENT_LENGTH + 1)
  expect(() => startThread(doc, anchor, ada, long)).toThrow('at most 10,000 characters; this one has 10,001')
  const id = startThread(doc, anchor, ada, 'first')
  for (let count = 1; count < MAX_MESSAGES; count++) reply(doc, id, ada, 'more')
  expect(() => reply(doc, id, ada, 'one more')).toThrow('at most 500 messages')
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
])('what others wrote and is no thread is not shown: %s', (_title, value) => {
  const doc = new Y.Doc()
  threadsOf(doc).set('x', value())
  expect(threadsIn(doc).get()).toEqual([])
})

test.each<[string, unknown, string]>([
  ['is missing', undefined, ''],
  ['is a number', 7, ''],
  ['is a megabyte', { ...anchor, from: 'A'.repeat(1e6), to: 'A'.repeat(1e6) }, 'words'],
])('a thread whose anchor %s is shown, and leads nowhere', (_what, value, quote) => {
  const doc = new Y.Doc()
  threadsOf(doc).set('x', stored({ anchor: value }, message({})))
  expect(only(doc).anchor).toEqual({ from: '', to: '', quote, before: '', after: '' })
})

test('of what others wrote the part that makes sense is shown, and no more than the limits', () => {
  const doc = new Y.Doc()
  const long = 'x'.repeat(1e5)
  const many = Array.from({ length: MAX_MESSAGES + 1 }, (_, at) => message({ id: `m${at}` }))
  const odd = message({ author: { id: 'ada', name: long }, text: long, editedAt: 'today', id: 'm0' })
  threadsOf(doc).set('x', stored({ anchor: { ...anchor, quote: {} }, resolved: 'yes' }, odd, ...many))
  const { messages, ...rest } = only(doc)
  expect(rest).toEqual({ id: 'x', anchor: { ...anchor, quote: '' } })
  expect(messages).toHaveLength(MAX_MESSAGES - 1)
  expect(messages[0]).toEqual({
    id: 'm0',
    author: { id: 'ada', name: 'x'.repeat(80) },
    at: 1,
    text: 'x'.repeat(MAX_COMMENT_LENGTH),
  })
})

test('a document in which the threads are something else has none', () => {
  const [theirs, ours] = [new Y.Doc(), new Y.Doc()]
  theirs.getArray('threads').push(['x'])
  Y.applyUpdate(ours, Y.encodeStateAsUpdate(theirs))
  expect(threadsIn(ours).get()).toEqual([])
})
