import { expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  deleteMessage,
  editMessage,
  moveThread,
  reopen,
  reply,
  resolve,
  startThread,
} from '../../lib/comments/edit.ts'
import { readThread, type Thread, threadsOf } from '../../lib/comments/thread.ts'
import { MAX_MESSAGES, MAX_THREADS } from '../../lib/protocol/comments.ts'
import { MAX_TYPE_DEPTH } from '../../lib/protocol/limits.ts'
import { createEncoder, toBytes, writeNumber } from '../../lib/protocol/wire.ts'
import { checkAuthors } from './check-authors.ts'
import { checkUpdate } from './check-update.ts'
import { type House, houseForFile, refusalOf, until, Window } from './fixtures/house.ts'
import { writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, takeIn } from './take-in.ts'

const ada = { id: 'user:ada', name: 'Ada Wren' }
const bob = { id: 'user:bob', name: 'Bob Finch' }
const visitor = { id: 'link:one', name: 'Quiet Otter', token: 'secret' }
const anchor = { from: 'AAA=', to: 'AAA=', quote: 'words', before: '', after: '' }

type Writer = Parameters<typeof checkAuthors>[2]

/** A document as the server has it, and windows that are as far when they write. */
class Stage {
  readonly doc = new RoomDoc()

  /** Sends what `write` does to a copy. */
  by(writer: Writer, write: (doc: Y.Doc) => void, change = (update: Uint8Array) => update): void {
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
    takeIn(this.doc, checked)
  }

  get threads(): Thread[] {
    const stored = threadsOf(this.doc)
    return [...stored.keys()].map((id) => readThread(id, stored.get(id))).filter((thread) => thread !== null)
  }

  get says(): string[] {
    return this.threads.flatMap(({ messages }) =>
      messages.map(({ author, text }) => `${author.name}: ${text}`),
    )
  }
}

/** A thread that Ada began and Bob answered. */
function talk() {
  const stage = new Stage()
  stage.by(ada, (doc) => startThread(doc, anchor, ada, 'What is this?'))
  const [{ id }] = stage.threads as [Thread]
  stage.by(bob, (doc) => reply(doc, id, bob, 'A question.'))
  const [thread] = stage.threads as [Thread]
  const [asked, answered] = thread.messages.map((message) => message.id) as [string, string]
  return { stage, id, asked, answered }
}

const said = ['Ada Wren: What is this?', 'Bob Finch: A question.']

const storedThread = (doc: Y.Doc, id: string) => threadsOf(doc).get(id) as Y.Map<unknown>
const listIn = (doc: Y.Doc, id: string) => storedThread(doc, id).get('messages') as Y.Array<Y.Map<unknown>>
const messageOf = (fields: object) =>
  new Y.Map<unknown>(Object.entries({ id: 'new', at: 1, text: 'x', ...fields }))

test('[A9] people write, change and delete their own messages, and resolve, reopen and move any thread', () => {
  const { stage, id, asked, answered } = talk()
  expect(stage.says).toEqual(said)
  stage.by(ada, (doc) => editMessage(doc, id, asked, 'What is that?'))
  stage.by(bob, (doc) => resolve(doc, id, bob))
  expect(stage.threads[0]!.resolved?.by).toEqual(bob)
  stage.by(ada, (doc) => reopen(doc, id))
  stage.by(bob, (doc) => moveThread(doc, id, { ...anchor, quote: 'other words' }))
  const undo: { run?: ((doc: Y.Doc) => void) | undefined } = {}
  stage.by(bob, (doc) => {
    const fields = [...listIn(doc, id).get(1).entries()]
    deleteMessage(doc, id, answered)
    undo.run = (later) => listIn(later, id).insert(1, [new Y.Map(fields)])
  })
  expect(stage.says).toEqual(['Ada Wren: What is that?'])
  stage.by(bob, (doc) => undo.run!(doc))
  expect(stage.says).toEqual(['Ada Wren: What is that?', 'Bob Finch: A question.'])
})

test('[A9] what somebody wrote offline, changed, deleted and wrote again arrives in one edit', () => {
  const { stage, id } = talk()
  stage.by(bob, (doc) => {
    reply(doc, id, bob, 'one')
    const [, , one] = readThread(id, storedThread(doc, id))!.messages
    editMessage(doc, id, one!.id, 'two')
    deleteMessage(doc, id, one!.id)
    reply(doc, id, bob, 'three')
    startThread(doc, anchor, bob, 'elsewhere')
  })
  expect(stage.says.toSorted()).toEqual([...said, 'Bob Finch: elsewhere', 'Bob Finch: three'].toSorted())
})

test('[A9] who came by a link has the name it gives itself', () => {
  const { stage, id } = talk()
  stage.by(visitor, (doc) => reply(doc, id, { id: visitor.id, name: 'Ada' }, 'Me, too.'))
  expect(stage.says.at(-1)).toBe('Ada: Me, too.')
})

test('[A9] a thread whose place was taken away is still read', () => {
  const { stage, id } = talk()
  stage.by(bob, (doc) => storedThread(doc, id).delete('anchor'))
  expect(stage.says).toEqual(said)
})

/** The deletions stand at the end of an update, and at the beginning of a snapshot without a state vector. */
function withoutDeletions(update: Uint8Array): Uint8Array {
  const snapshot = Y.createSnapshot(Y.decodeUpdate(update).ds, new Map())
  const deletions = Y.encodeSnapshot(snapshot).length - 1
  return Uint8Array.from([...update.subarray(0, update.length - deletions), 0])
}

function deletionOf({ client, clock }: Y.ID): Uint8Array {
  const encoder = createEncoder()
  // No structs; of one client one range, which is one clock long.
  for (const number of [0, 1, client, 1, clock, 1]) writeNumber(encoder, number)
  return toBytes(encoder)
}

type Forgery = (doc: Y.Doc, id: string, asked: string) => void

test('[A9] a comment may be signed with a name that its writer had before', () => {
  const stage = new Stage()
  const renamed = { ...ada, name: 'Ada Heron', formerNames: ['Ada', ada.name] }
  stage.by(renamed, (doc) => startThread(doc, anchor, ada, 'Written before.'))
  stage.by(renamed, (doc) => startThread(doc, anchor, renamed, 'Written since.'))
  expect(stage.says.toSorted()).toEqual(['Ada Heron: Written since.', 'Ada Wren: Written before.'])
  const other = (doc: Y.Doc) => void startThread(doc, anchor, { ...ada, name: 'Bob Finch' }, 'I am Bob')
  expect(() => stage.by(renamed, other)).toThrow(/another name than Ada Heron/)
})

const forgeries: [string, Forgery][] = [
  ['begins a thread as somebody else', (doc) => startThread(doc, anchor, ada, 'I am Ada')],
  ['answers as somebody else', (doc, id) => reply(doc, id, ada, 'I am Ada')],
  ['answers under another name', (doc, id) => reply(doc, id, { ...bob, name: ada.name }, 'I am Ada')],
  ['resolves as somebody else', (doc, id) => resolve(doc, id, ada)],
  ['changes what somebody else wrote', (doc, id, asked) => editMessage(doc, id, asked, 'Nothing.')],
  ['deletes what somebody else wrote', (doc, id, asked) => deleteMessage(doc, id, asked)],
  ['deletes the text of it', (doc, id) => listIn(doc, id).get(0).delete('text')],
  ['dates it anew', (doc, id) => listIn(doc, id).get(0).set('at', 0)],
  ['calls it changed', (doc, id) => listIn(doc, id).get(0).set('editedAt', 0)],
  ['takes it over', (doc, id) => listIn(doc, id).get(0).set('author', bob)],
  ['leaves it without an author', (doc, id) => listIn(doc, id).get(0).delete('author')],
  ['gives away what is their own', (doc, id) => listIn(doc, id).get(1).set('author', ada)],
  ['deletes a thread', (doc, id) => threadsOf(doc).delete(id)],
  ['puts another thread in its place', (doc, id) => threadsOf(doc).set(id, new Y.Map())],
  ['puts anything in its place', (doc, id) => threadsOf(doc).set(id, 7)],
  ['deletes its messages', (doc, id) => storedThread(doc, id).delete('messages')],
  ['puts other messages in their place', (doc, id) => storedThread(doc, id).set('messages', new Y.Array())],
  ['empties it', (doc, id) => listIn(doc, id).delete(0, 2)],
  ['writes under the id of a message', (doc, id, asked) => listIn(doc, id).unshift([messageOf({ id: asked, author: bob })])],
  ['gives their own message that id', (doc, id, asked) => listIn(doc, id).get(1).set('id', asked)],
  ['says that its first comment was deleted', (doc, id) => storedThread(doc, id).set('firstDeleted', true)],
  ['writes first, and signs later', (doc, id) => {
    const message = messageOf({})
    listIn(doc, id).push([message])
    message.set('author', ada)
  }],
  ['signs a thread within a thread', (doc, id) => {
    const messages = Y.Array.from([messageOf({ author: ada })])
    threadsOf(doc).set('x', new Y.Map<unknown>(Object.entries({ anchor, messages })))
    reply(doc, id, bob, 'and something honest')
  }],
  ['floods a thread', (doc, id) => {
    listIn(doc, id).unshift(Array.from({ length: MAX_MESSAGES }, (_, n) => messageOf({ id: `${n}`, author: bob })))
  }],
  ['floods a thread with what is no message', (doc, id) => {
    listIn(doc, id).unshift(Array.from({ length: MAX_MESSAGES }, () => 7 as never))
  }],
  ['floods the list of threads', (doc) => {
    for (let n = 0; n < MAX_THREADS; n++) threadsOf(doc).set(`${n}`, new Y.Map())
  }],
] // prettier-ignore

test.each(forgeries)('[A9] an edit is refused whole where somebody %s', (_what, write) => {
  const { stage, id, asked } = talk()
  const before = Y.encodeStateAsUpdate(stage.doc)
  expect(refusedCode(() => stage.by(bob, (doc) => write(doc, id, asked)))).toBe('forbidden')
  expect(Y.encodeStateAsUpdate(stage.doc)).toEqual(before)
  expect(stage.says).toEqual(said)
})

test.each(forgeries)('[A9] nor may it be silent about what it deletes where somebody %s', (_what, write) => {
  const { stage, id, asked } = talk()
  let writes = true
  const silent = (update: Uint8Array): Uint8Array => {
    writes = Y.decodeUpdate(update).structs.length > 0
    return withoutDeletions(update)
  }
  const code = refusedCode(() => stage.by(bob, (doc) => write(doc, id, asked), silent))
  expect(code).toBe(writes ? 'forbidden' : 'taken')
  expect(stage.says).toEqual(said)
})

test.each<[string, (doc: Y.Doc, id: string) => Y.Item]>([
  ['a thread', (doc, id) => threadsOf(doc)._map.get(id)!],
  ['its list of messages', (doc, id) => storedThread(doc, id)._map.get('messages')!],
  ['a message', (doc, id) => listIn(doc, id).get(0)._item!],
  ['a field of a message', (doc, id) => listIn(doc, id).get(0)._map.get('text')!],
])('[A9] an edit that deletes %s of somebody else and names nothing within it is refused', (_what, find) => {
  const { stage, id } = talk()
  expect(refusedCode(() => stage.send(bob, deletionOf(find(stage.doc, id).id)))).toBe('forbidden')
  expect(stage.says).toEqual(said)
})

test('[A9] an item that names no parent but its neighbours is found where it lies', () => {
  const { stage, id } = talk()
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(stage.doc))
  const before = Y.encodeStateVector(copy)
  // Yjs writes no parent beside an origin: the second value of a key has the first for one.
  listIn(copy, id).get(0).set('text', 'one')
  listIn(copy, id).get(0).set('text', 'two')
  const update = Y.encodeStateAsUpdate(copy, before)
  expect(Y.decodeUpdate(update).structs.every((struct) => (struct as Y.Item).parent === null)).toBe(true)
  expect(refusedCode(() => stage.send(bob, update))).toBe('forbidden')
})

test('[A9] what lies elsewhere in the document is nobody’s concern', () => {
  const { stage } = talk()
  stage.by(bob, (doc) => doc.getMap('notes').set('author', ada))
  stage.by(bob, (doc) => doc.getText('trace').insert(0, 'free'))
  stage.by(ada, (doc) => doc.getText('trace').delete(0, 2))
  expect(stage.doc.getText('trace').toJSON()).toBe('ee')
})

test('[A9] types within types do not lead the check astray, however deep', () => {
  const { stage } = talk()
  stage.by(bob, (doc) => {
    let map = doc.getMap('notes')
    for (let depth = 0; depth < MAX_TYPE_DEPTH - 10; depth++) {
      const inner = new Y.Map<unknown>()
      map.set('messages', inner)
      map = inner
    }
  })
  expect(stage.says).toEqual(said)
})

let house: House
houseForFile((opened) => (house = opened))

test('[A9] a room takes no comment in another’s name, and no reader hears of it', async () => {
  const { id, owner } = await house.document()
  const link = await house.linkedTo(id, 'editor', owner)
  const mine = await Window.open(house.rooms, id, owner, undefined, { part: 'comments' })
  const theirs = await Window.open(house.rooms, id, link.principal, undefined, { part: 'comments' })
  const write = (window: Window, author: { id: string; name: string }): Promise<void> => {
    const before = Y.encodeStateVector(window.doc)
    startThread(window.doc, anchor, author, 'Signed')
    return window.send(Y.encodeStateAsUpdate(window.doc, before))
  }
  await write(mine, owner)
  expect(await refusalOf(write(theirs, owner))).toMatchObject({ code: 'forbidden' })
  const stored = await house.read(id, 'comments')
  expect(threadsOf(stored).size).toBe(1)
  expect(threadsOf(mine.doc).size).toBe(1)
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

test('[A6] an edit that has a long thread walked over again and again is refused', () => {
  const stage = new Stage()
  stage.by(ada, (doc) => startThread(doc, anchor, ada, 'words'))
  const [{ id }] = stage.threads as [Thread]
  const copy = new Y.Doc({ gc: false }) // so that each id is brought
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(stage.doc))
  const messages = (threadsOf(copy).get(id) as Y.Map<unknown>).get('messages') as Y.Array<Y.Map<unknown>>
  for (let message = 1; message < MAX_MESSAGES; message++) reply(copy, id, ada, 'more words')
  stage.send(ada, Y.encodeStateAsUpdate(copy, Y.encodeStateVector(stage.doc)))
  const before = Y.encodeStateVector(copy)
  for (let time = 0; time < 1_000; time++) messages.get(0).set('id', `${time}`)
  const update = Y.encodeStateAsUpdate(copy, before)
  let now = 0
  const cost = new IntegrationCost(update.length, () => (now += 1)) // it looks at the clock now and then
  const checked = checkUpdate(Y.decodeStateVector(before), update, undefined, cost)
  expect(() => cost.spend(() => checkAuthors(stage.doc, checked, ada, cost))).toThrow('processor time')
})

test('[A7] in a busy room, what builds on a refused edit is refused, and nobody is put out', async () => {
  const { owner, id } = await house.document()
  const open = () => Window.open(house.rooms, id, owner, undefined, { part: 'comments' })
  const windows = await Promise.all(Array.from({ length: 25 }, open))
  const [mallory, bob] = windows as [Window, Window]
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
  await until(() => windows.every(({ text }) => text === bob.text))
  expect(windows.map(({ evicted }) => evicted)).toEqual(windows.map(() => null))
})
