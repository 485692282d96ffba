import { expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  deleteMessage,
  editMessage,
  moveThread,
  reopenThread,
  replyToThread,
  resolveThread,
  startThread,
} from '../../lib/comments/edit-threads.ts'
import { readThread, type Thread, storedThreadsOf } from '../../lib/comments/stored-thread.ts'
import { MAX_THREAD_MESSAGES, MAX_THREADS } from '../../lib/protocol/comments.ts'
import { MAX_TYPE_DEPTH } from '../../lib/protocol/limits.ts'
import { createEncoder, toBytes, writeNumber } from '../../lib/protocol/wire.ts'
import { checkAuthors } from './check-authors.ts'
import { checkUpdate } from './check-update.ts'
import {
  type RoomsFixture,
  openRoomsFixtureForFile,
  refusalOf,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'

const ada = { id: 'user:ada', name: 'Ada Wren' }
const bob = { id: 'user:bob', name: 'Bob Finch' }
const visitor = { id: 'link:one', name: 'Quiet Otter', token: 'secret' }
const anchor = { from: 'AAA=', to: 'AAA=', quote: 'words', before: '', after: '' }

type Writer = Parameters<typeof checkAuthors>[2]

/** The server's document, and windows that have all of it when they write. */
class CommentsFixture {
  readonly doc = new RoomDoc()

  /** Sends what `write` changes in a copy. */
  editBy(writer: Writer, write: (doc: Y.Doc) => void, change = (update: Uint8Array) => update): void {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(this.doc))
    const before = Y.encodeStateVector(copy)
    const deleted = Y.createDeleteSetFromStructStore(copy.store)
    copy.transact(() => write(copy))
    const after = Y.createDeleteSetFromStructStore(copy.store)
    expect([Y.encodeStateVector(copy), after]).not.toEqual([before, deleted])
    this.send(writer, change(Y.encodeStateAsUpdate(copy, before)))
  }

  send(writer: Writer, update: Uint8Array): void {
    const known = Y.decodeStateVector(Y.encodeStateVector(this.doc))
    const checked = checkUpdate(known, new Uint8Array(update))
    checkAuthors(this.doc, checked, writer)
    integrateUpdate(this.doc, checked)
  }

  get threads(): Thread[] {
    const stored = storedThreadsOf(this.doc)
    return [...stored.keys()].map((id) => readThread(id, stored.get(id))).filter((thread) => thread !== null)
  }

  get shownMessages(): string[] {
    return this.threads.flatMap(({ messages }) =>
      messages.map(({ author, text }) => `${author.name}: ${text}`),
    )
  }
}

/** A thread that Ada began and to which Bob replied. */
function createThread() {
  const commentsFixture = new CommentsFixture()
  commentsFixture.editBy(ada, (doc) => startThread(doc, anchor, ada, 'What is this?'))
  const [{ id }] = commentsFixture.threads as [Thread]
  commentsFixture.editBy(bob, (doc) => replyToThread(doc, id, bob, 'A question.'))
  const [thread] = commentsFixture.threads as [Thread]
  const [questionId, answerId] = thread.messages.map((message) => message.id) as [string, string]
  return { commentsFixture, id, questionId, answerId }
}

const originalMessages = ['Ada Wren: What is this?', 'Bob Finch: A question.']

const storedThread = (doc: Y.Doc, id: string) => storedThreadsOf(doc).get(id) as Y.Map<unknown>
const listIn = (doc: Y.Doc, id: string) => storedThread(doc, id).get('messages') as Y.Array<Y.Map<unknown>>
const messageOf = (fields: object) =>
  new Y.Map<unknown>(Object.entries({ id: 'new', at: 1, text: 'x', ...fields }))

test('[A9] people write, change and delete their own messages, and resolve, reopen and move any thread', () => {
  const { commentsFixture, id, questionId, answerId } = createThread()
  expect(commentsFixture.shownMessages).toEqual(originalMessages)
  commentsFixture.editBy(ada, (doc) => editMessage(doc, id, questionId, 'What is that?'))
  commentsFixture.editBy(bob, (doc) => resolveThread(doc, id, bob))
  expect(commentsFixture.threads[0]!.resolved?.by).toEqual(bob)
  commentsFixture.editBy(ada, (doc) => reopenThread(doc, id))
  commentsFixture.editBy(bob, (doc) => moveThread(doc, id, { ...anchor, quote: 'other words' }))
  const undo: { run?: ((doc: Y.Doc) => void) | undefined } = {}
  commentsFixture.editBy(bob, (doc) => {
    const fields = [...listIn(doc, id).get(1).entries()]
    deleteMessage(doc, id, answerId)
    undo.run = (later) => listIn(later, id).insert(1, [new Y.Map(fields)])
  })
  expect(commentsFixture.shownMessages).toEqual(['Ada Wren: What is that?'])
  commentsFixture.editBy(bob, (doc) => undo.run!(doc))
  expect(commentsFixture.shownMessages).toEqual(['Ada Wren: What is that?', 'Bob Finch: A question.'])
})

test('[A9] an edit may hold all that somebody wrote, changed, deleted and wrote again offline', () => {
  const { commentsFixture, id } = createThread()
  commentsFixture.editBy(bob, (doc) => {
    replyToThread(doc, id, bob, 'one')
    const [, , one] = readThread(id, storedThread(doc, id))!.messages
    editMessage(doc, id, one!.id, 'two')
    deleteMessage(doc, id, one!.id)
    replyToThread(doc, id, bob, 'three')
    startThread(doc, anchor, bob, 'elsewhere')
  })
  expect(commentsFixture.shownMessages.toSorted()).toEqual(
    [...originalMessages, 'Bob Finch: elsewhere', 'Bob Finch: three'].toSorted(),
  )
})

test('[A9] a writer with only a link’s token has the name it gives itself', () => {
  const { commentsFixture, id } = createThread()
  commentsFixture.editBy(visitor, (doc) =>
    replyToThread(doc, id, { id: visitor.id, name: 'Ada' }, 'Me, too.'),
  )
  expect(commentsFixture.shownMessages.at(-1)).toBe('Ada: Me, too.')
})

test('[A9] a thread whose position was deleted is still read', () => {
  const { commentsFixture, id } = createThread()
  commentsFixture.editBy(bob, (doc) => storedThread(doc, id).delete('anchor'))
  expect(commentsFixture.shownMessages).toEqual(originalMessages)
})

/** The deletions are at the end of an update, and at the beginning of a snapshot without a state vector. */
function withoutDeletions(update: Uint8Array): Uint8Array {
  const snapshot = Y.createSnapshot(Y.decodeUpdate(update).ds, new Map())
  const deletions = Y.encodeSnapshot(snapshot).length - 1
  return Uint8Array.from([...update.subarray(0, update.length - deletions), 0])
}

function deletionOf({ client, clock }: Y.ID): Uint8Array {
  const encoder = createEncoder()
  // No structs; one range of one client, one clock long.
  for (const number of [0, 1, client, 1, clock, 1]) writeNumber(encoder, number)
  return toBytes(encoder)
}

type ForgedEdit = (doc: Y.Doc, id: string, questionId: string) => void

test('[A9] a comment may be signed with a name that its writer had before', () => {
  const commentsFixture = new CommentsFixture()
  const renamed = { ...ada, name: 'Ada Heron', formerNames: ['Ada', ada.name] }
  commentsFixture.editBy(renamed, (doc) => startThread(doc, anchor, ada, 'Written before.'))
  commentsFixture.editBy(renamed, (doc) => startThread(doc, anchor, renamed, 'Written since.'))
  expect(commentsFixture.shownMessages.toSorted()).toEqual([
    'Ada Heron: Written since.',
    'Ada Wren: Written before.',
  ])
  const other = (doc: Y.Doc) => void startThread(doc, anchor, { ...ada, name: 'Bob Finch' }, 'I am Bob')
  expect(() => commentsFixture.editBy(renamed, other)).toThrow(/another name than Ada Heron/)
})

const forgedEdits: [string, ForgedEdit][] = [
  ['begins a thread as somebody else', (doc) => startThread(doc, anchor, ada, 'I am Ada')],
  ['answers as somebody else', (doc, id) => replyToThread(doc, id, ada, 'I am Ada')],
  ['answers under another name', (doc, id) => replyToThread(doc, id, { ...bob, name: ada.name }, 'I am Ada')],
  ['resolves as somebody else', (doc, id) => resolveThread(doc, id, ada)],
  ['changes what somebody else wrote', (doc, id, questionId) => editMessage(doc, id, questionId, 'Nothing.')],
  ['deletes what somebody else wrote', (doc, id, questionId) => deleteMessage(doc, id, questionId)],
  ['deletes the text of it', (doc, id) => listIn(doc, id).get(0).delete('text')],
  ['dates it anew', (doc, id) => listIn(doc, id).get(0).set('at', 0)],
  ['calls it changed', (doc, id) => listIn(doc, id).get(0).set('editedAt', 0)],
  ['takes it over', (doc, id) => listIn(doc, id).get(0).set('author', bob)],
  ['leaves it without an author', (doc, id) => listIn(doc, id).get(0).delete('author')],
  ['gives away what is their own', (doc, id) => listIn(doc, id).get(1).set('author', ada)],
  ['deletes a thread', (doc, id) => storedThreadsOf(doc).delete(id)],
  ['puts another thread in its place', (doc, id) => storedThreadsOf(doc).set(id, new Y.Map())],
  ['puts anything in its place', (doc, id) => storedThreadsOf(doc).set(id, 7)],
  ['deletes its messages', (doc, id) => storedThread(doc, id).delete('messages')],
  ['puts other messages in their place', (doc, id) => storedThread(doc, id).set('messages', new Y.Array())],
  ['empties it', (doc, id) => listIn(doc, id).delete(0, 2)],
  ['writes under the id of a message', (doc, id, questionId) => listIn(doc, id).unshift([messageOf({ id: questionId, author: bob })])],
  ['gives their own message that id', (doc, id, questionId) => listIn(doc, id).get(1).set('id', questionId)],
  ['marks its first comment as deleted', (doc, id) => storedThread(doc, id).set('firstDeleted', true)],
  ['writes first, and signs later', (doc, id) => {
    const message = messageOf({})
    listIn(doc, id).push([message])
    message.set('author', ada)
  }],
  ['signs a thread within a thread', (doc, id) => {
    const messages = Y.Array.from([messageOf({ author: ada })])
    storedThreadsOf(doc).set('x', new Y.Map<unknown>(Object.entries({ anchor, messages })))
    replyToThread(doc, id, bob, 'and something honest')
  }],
  ['floods a thread', (doc, id) => {
    listIn(doc, id).unshift(Array.from({ length: MAX_THREAD_MESSAGES }, (_, n) => messageOf({ id: `${n}`, author: bob })))
  }],
  ['floods a thread with what is no message', (doc, id) => {
    listIn(doc, id).unshift(Array.from({ length: MAX_THREAD_MESSAGES }, () => 7 as never))
  }],
  ['floods the list of threads', (doc) => {
    for (let n = 0; n < MAX_THREADS; n++) storedThreadsOf(doc).set(`${n}`, new Y.Map())
  }],
] // prettier-ignore

test.each(forgedEdits)('[A9] an edit is refused whole if somebody %s', (_what, write) => {
  const { commentsFixture, id, questionId } = createThread()
  const before = Y.encodeStateAsUpdate(commentsFixture.doc)
  expect(refusedCode(() => commentsFixture.editBy(bob, (doc) => write(doc, id, questionId)))).toBe(
    'forbidden',
  )
  expect(Y.encodeStateAsUpdate(commentsFixture.doc)).toEqual(before)
  expect(commentsFixture.shownMessages).toEqual(originalMessages)
})

test.each(forgedEdits)(
  '[A9] an edit is refused if it hides what it deletes, and somebody %s',
  (_what, write) => {
    const { commentsFixture, id, questionId } = createThread()
    let hasStructs = true
    const dropDeletions = (update: Uint8Array): Uint8Array => {
      hasStructs = Y.decodeUpdate(update).structs.length > 0
      return withoutDeletions(update)
    }
    const code = refusedCode(() =>
      commentsFixture.editBy(bob, (doc) => write(doc, id, questionId), dropDeletions),
    )
    expect(code).toBe(hasStructs ? 'forbidden' : 'taken')
    expect(commentsFixture.shownMessages).toEqual(originalMessages)
  },
)

test.each<[string, (doc: Y.Doc, id: string) => Y.Item]>([
  ['a thread', (doc, id) => storedThreadsOf(doc)._map.get(id)!],
  ['its list of messages', (doc, id) => storedThread(doc, id)._map.get('messages')!],
  ['a message', (doc, id) => listIn(doc, id).get(0)._item!],
  ['a field of a message', (doc, id) => listIn(doc, id).get(0)._map.get('text')!],
])('[A9] an edit that deletes %s of somebody else and names nothing within it is refused', (_what, find) => {
  const { commentsFixture, id } = createThread()
  expect(refusedCode(() => commentsFixture.send(bob, deletionOf(find(commentsFixture.doc, id).id)))).toBe(
    'forbidden',
  )
  expect(commentsFixture.shownMessages).toEqual(originalMessages)
})

test('[A9] an item that names its neighbours and no parent is found at its place', () => {
  const { commentsFixture, id } = createThread()
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(commentsFixture.doc))
  const before = Y.encodeStateVector(copy)
  // Yjs writes no parent beside an origin: the second value of a key has the first one as its origin.
  listIn(copy, id).get(0).set('text', 'one')
  listIn(copy, id).get(0).set('text', 'two')
  const update = Y.encodeStateAsUpdate(copy, before)
  expect(Y.decodeUpdate(update).structs.every((struct) => (struct as Y.Item).parent === null)).toBe(true)
  expect(refusedCode(() => commentsFixture.send(bob, update))).toBe('forbidden')
})

test('[A9] other content of the document is not checked', () => {
  const { commentsFixture } = createThread()
  commentsFixture.editBy(bob, (doc) => doc.getMap('notes').set('author', ada))
  commentsFixture.editBy(bob, (doc) => doc.getText('trace').insert(0, 'free'))
  commentsFixture.editBy(ada, (doc) => doc.getText('trace').delete(0, 2))
  expect(commentsFixture.doc.getText('trace').toJSON()).toBe('ee')
})

test('[A9] nested types do not mislead the check, however deep', () => {
  const { commentsFixture } = createThread()
  commentsFixture.editBy(bob, (doc) => {
    let map = doc.getMap('notes')
    for (let depth = 0; depth < MAX_TYPE_DEPTH - 10; depth++) {
      const inner = new Y.Map<unknown>()
      map.set('messages', inner)
      map = inner
    }
  })
  expect(commentsFixture.shownMessages).toEqual(originalMessages)
})

let roomsFixture: RoomsFixture
openRoomsFixtureForFile((opened) => (roomsFixture = opened))

test('[A9] a room refuses a comment in another’s name, and no reader receives it', async () => {
  const { id, owner } = await roomsFixture.document()
  const link = await roomsFixture.linkPrincipalTo(id, 'editor', owner)
  const ownerWindow = await RoomWindow.open(roomsFixture.rooms, id, owner, undefined, { part: 'comments' })
  const guestWindow = await RoomWindow.open(roomsFixture.rooms, id, link.principal, undefined, {
    part: 'comments',
  })
  const write = (window: RoomWindow, author: { id: string; name: string }): Promise<void> => {
    const before = Y.encodeStateVector(window.doc)
    startThread(window.doc, anchor, author, 'Signed')
    return window.send(Y.encodeStateAsUpdate(window.doc, before))
  }
  await write(ownerWindow, owner)
  expect(await refusalOf(write(guestWindow, owner))).toMatchObject({ code: 'forbidden' })
  const stored = await roomsFixture.read(id, 'comments')
  expect(storedThreadsOf(stored).size).toBe(1)
  expect(storedThreadsOf(ownerWindow.doc).size).toBe(1)
})

function refusedCode(run: () => void): string {
  try {
    run()
  } catch (error) {
    if (error instanceof RoomRefusal) return error.reason.code
    throw error
  }
  return 'taken'
}

test('[A6] an edit that makes the check walk over a long thread again and again is refused', () => {
  const commentsFixture = new CommentsFixture()
  commentsFixture.editBy(ada, (doc) => startThread(doc, anchor, ada, 'words'))
  const [{ id }] = commentsFixture.threads as [Thread]
  const copy = new Y.Doc({ gc: false }) // so that each id is sent
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(commentsFixture.doc))
  const messages = (storedThreadsOf(copy).get(id) as Y.Map<unknown>).get('messages') as Y.Array<
    Y.Map<unknown>
  >
  for (let message = 1; message < MAX_THREAD_MESSAGES; message++) replyToThread(copy, id, ada, 'more words')
  commentsFixture.send(ada, Y.encodeStateAsUpdate(copy, Y.encodeStateVector(commentsFixture.doc)))
  const before = Y.encodeStateVector(copy)
  for (let time = 0; time < 1_000; time++) messages.get(0).set('id', `${time}`)
  const update = Y.encodeStateAsUpdate(copy, before)
  const cost = new IntegrationCost(update.length)
  const checked = checkUpdate(Y.decodeStateVector(before), update, undefined, cost)
  expect(() => checkAuthors(commentsFixture.doc, checked, ada, cost)).toThrow('units of work')
})

test('[A7] in a busy room an edit that builds on a refused one is refused, and nobody is evicted', async () => {
  const { owner, id } = await roomsFixture.document()
  const open = () => RoomWindow.open(roomsFixture.rooms, id, owner, undefined, { part: 'comments' })
  const windows = await Promise.all(Array.from({ length: 25 }, open))
  const [mallory, bob] = windows as [RoomWindow, RoomWindow]
  await mallory.type('abc')
  const { clientID: client } = mallory.doc
  const letter = (clock: number, origin: number, rightOrigin: number | null) =>
    writeUpdate({
      runs: [
        {
          client,
          clock,
          structs: [
            {
              content: { kind: 'string', text: 'x' },
              origin: { client, clock: origin },
              rightOrigin: rightOrigin === null ? null : { client, clock: rightOrigin },
              parent: 'trace',
              key: null,
            },
          ],
        },
      ],
      deletions: [],
    })
  const sent = [letter(3, 2, 0), letter(4, 3, null)].map((update) => refusalOf(mallory.send(update)))
  expect((await Promise.all(sent)).map(({ code }) => code)).toEqual(['bad-update', 'behind'])
  await bob.type('goes on')
  await waitUntil(() => windows.every(({ text }) => text === bob.text))
  expect(windows.map(({ evictionReason }) => evictionReason)).toEqual(windows.map(() => null))
})
