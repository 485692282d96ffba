import { describe, expect, test, vi } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { StoreError } from '../store/store.ts'
import { RoomDoc } from './integrate-update.ts'
import { hasSameState, soundnessOf } from './fixtures/editing-session.ts'
import {
  docOf,
  type RoomsFixture,
  isPending,
  refusalOf,
  openRoomsFixtureForFile,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { TextWorkerPool } from './text-worker-pool.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

function caretOf({ doc }: RoomWindow): Uint8Array {
  const awareness = new Awareness(doc)
  awareness.setLocalState({ caret: doc.getText('trace').length })
  const update = encodeAwarenessUpdate(awareness, [doc.clientID])
  awareness.destroy()
  return update
}

describe('a busy room', () => {
  test('[S1] everybody receives all edits but their own, once, and edits that came together are committed together', async () => {
    const { windows, id } = await fixture.documentWithWindows(50)
    const writers = windows.slice(0, 5)
    await Promise.all(windows.map((window) => window.type('.')))
    await waitUntil(() => windows.every(({ text }) => text.length === 50))
    for (const { changes } of windows) changes.length = 0
    const appends = vi.spyOn(fixture.store, 'append')
    await Promise.all(writers.flatMap((writer) => ['a', 'b', 'c', 'd'].map((letter) => writer.type(letter))))
    await waitUntil(() => windows.every(({ text }) => text.length === 70))
    expect(appends).toHaveBeenCalledOnce()
    const letters = (updates: readonly Uint8Array[]): number =>
      updates
        .flatMap((update) => Y.decodeUpdate(update).structs)
        .reduce((sum, struct) => sum + struct.length, 0)
    expect(windows.map(({ changes }) => letters(changes))).toEqual(
      windows.map((_, index) => (index < 5 ? 16 : 20)),
    )
    expect(windows.at(-1)!.changes.length).toBeLessThan(20)
    expect(hasSameState(await fixture.read(id), windows[7]!.doc)).toBe(true)
  })
})

describe('the edits that a busy room has checked and not integrated yet', () => {
  const openBusyRoom = async () => {
    const shares = await fixture.documentWithWindows(25)
    await Promise.all(shares.windows.map((window) => window.type('.')))
    await waitUntil(() => shares.windows.every(({ text }) => text.length === 25))
    return shares
  }

  test('are one transaction of Yjs with the rest of their batch', async () => {
    const { windows } = await openBusyRoom()
    const began = new Set<Y.Transaction>()
    const integrate = Y.Item.prototype.integrate
    vi.spyOn(Y.Item.prototype, 'integrate').mockImplementation(function (this: Y.Item, transaction, offset) {
      if (transaction.doc instanceof RoomDoc) began.add(transaction)
      integrate.call(this, transaction, offset)
    })
    await Promise.all(windows.slice(0, 5).map((window) => window.type('a')))
    expect(began.size).toBe(1)
  })

  test('are there for whoever joins meanwhile, and for edits that build on them', async () => {
    const { windows, id, owner } = await openBusyRoom()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    fixture.store.hold()
    const typed = [ada.type('one '), ada.type('two '), bob.type('three ')]
    const late = RoomWindow.open(fixture.rooms, id, owner, new Y.Doc())
    const behind = RoomWindow.open(fixture.rooms, id, owner, windows[3]!.doc)
    fixture.store.release()
    await Promise.all(typed)
    for (const window of [await late, await behind]) {
      expect(window.text).toContain('one two ')
      expect(window.text).toContain('three ')
      expect(hasSameState(window.doc, await fixture.read(id))).toBe(true)
    }
  })

  test('[S6] are there for a member that catches up in the same turn', async () => {
    const { windows, id } = await openBusyRoom()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    bob.refusesChanges = true
    await ada.type('one ')
    bob.refusesChanges = false
    const typed = ada.type('two ')
    bob.membership.catchUp()
    await typed
    await waitUntil(() => bob.receivedKinds.at(-1) === 'caught up')
    expect(hasSameState(bob.doc, await fixture.read(id))).toBe(true)
  })
})

describe('[D1] nothing is seen before its commit', () => {
  test('the author receives no saved, and nobody else the edit', async () => {
    const { windows, open, id } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    fixture.store.hold()
    const saved = ada.type('secret waitUntil saved')
    const late = open()
    expect(await isPending(saved)).toBe(true)
    expect(await isPending(late)).toBe(true)
    expect([bob.text, (await fixture.read(id)).getText('trace').toJSON()]).toEqual(['', ''])
    fixture.store.release()
    await saved
    expect([bob.text, (await late).text]).toEqual(['secret waitUntil saved', 'secret waitUntil saved'])
    expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
  })

  test('a caret is sent after the letters it was typed with, and at once if none are on their way', async () => {
    const { windows } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    bob.presence.length = 0
    fixture.store.hold()
    const saved = ada.type('letters')
    ada.membership.sendPresence(caretOf(ada))
    bob.membership.sendPresence(caretOf(bob))
    await isPending(saved)
    expect([bob.presence.length, ada.presence.filter(({ whole }) => !whole).length]).toEqual([0, 1])
    fixture.store.release()
    await saved
    await waitUntil(() => bob.presence.length > 0)
    expect(bob.text).toBe('letters')
    ada.membership.sendPresence(caretOf(ada))
    expect(bob.presence).toHaveLength(2)
  })

  test('a member that joins between two edits receives each once, in order', async () => {
    const { windows, open } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    fixture.store.hold()
    const saved = [ada.type('one ')]
    const late = open()
    await isPending(late)
    saved.push(ada.type('two'))
    fixture.store.release()
    await Promise.all(saved)
    const bob = await late
    await waitUntil(() => bob.text === 'one two')
    expect(bob.receivedKinds).toEqual(['state', 'change'])
  })

  test('an edit that is known already is acknowledged when its first copy is on disk', async () => {
    const { windows } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    fixture.store.hold()
    const first = ada.type('twice')
    const again = ada.send(Y.encodeStateAsUpdate(ada.doc))
    expect(await isPending(again)).toBe(true)
    fixture.store.release()
    await Promise.all([first, again])
  })
})

describe('[D3] a store that fails', () => {
  test('stops the acknowledgements, typing goes on, and it heals by itself', async () => {
    const { windows, id } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    fixture.store.failWith(new StoreError('the disk is full'))
    const saved = [ada.type('a'), ada.type('b')]
    await isPending(saved[0]!)
    saved.push(ada.type('c'), bob.type('x', 0))
    for (const one of saved) expect(await isPending(one)).toBe(true)
    expect(bob.text).toBe('x')
    fixture.store.failWith(null)
    await Promise.all(saved)
    await waitUntil(() => bob.text.length === 4 && ada.text.length === 4)
    expect(hasSameState(ada.doc, bob.doc)).toBe(true)
    expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
  })
})

function orphanUpdate(): Uint8Array {
  const doc = docOf('never sent ')
  const before = Y.encodeStateVector(doc)
  doc.getText('trace').insert(11, 'sent')
  return Y.encodeStateAsUpdate(doc, before)
}

describe('refusals', () => {
  test('of a malformed id, a document that is missing, and one of somebody else', async () => {
    const { principal } = await fixture.createPerson()
    const { id } = await fixture.document()
    const join = (document: string) => refusalOf(RoomWindow.open(fixture.rooms, document, principal))
    expect(await join('../etc/passwd')).toEqual({ code: 'bad-document', detail: '../etc/passwd' })
    expect(await join(newDocumentId())).toEqual({ code: 'forbidden' })
    expect(await join(id)).toEqual({ code: 'forbidden' })
  })

  test('of bytes that are no state vector', async () => {
    const { id, owner } = await fixture.document()
    const reason = await refusalOf(new RoomWindow().join(fixture.rooms, id, owner, Uint8Array.of(9)))
    expect(reason.code).toBe('bad-message')
  })

  test.each<[string, (ada: RoomWindow) => Uint8Array, code?: string]>([
    ['random bytes', () => Uint8Array.from({ length: 40 }, (_, index) => (index * 89 + 3) % 256)],
    ['a V2 update', () => Y.encodeStateAsUpdateV2(docOf('text in V2'))],
    ['text on text nobody has', () => orphanUpdate(), 'behind'],
    ['a cut update', () => Y.encodeStateAsUpdate(docOf('cut')).subarray(0, -1)],
  ])(
    '[A6] %s: nothing of it is stored, nobody receives it, everybody goes on',
    async (_what, make, code = 'bad-update') => {
      const { windows, id } = await fixture.documentWithWindows()
      const [ada, bob] = windows as [RoomWindow, RoomWindow]
      await ada.type('before ')
      const { sequence } = await fixture.store.load(id, 'body')
      expect((await refusalOf(ada.send(make(ada)))).code).toBe(code)
      expect((await fixture.store.load(id, 'body')).sequence).toBe(sequence)
      await waitUntil(() => bob.text === 'before ')
      await bob.type('after')
      await waitUntil(() => ada.text === 'before after')
      expect([ada.evictionReason, bob.evictionReason]).toEqual([null, null])
      expect(hasSameState(await fixture.read(id), bob.doc)).toBe(true)
    },
  )

  test('[A6] a false length cannot reach the bytes beside it', async () => {
    const { windows, id } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    // 32 bytes of text are announced and one is there; the password is where a reader of the whole pool would look.
    const pool = Buffer.concat([
      Buffer.from([1, 1, 9, 0, 4, 1, 5, ...Buffer.from('trace'), 32, 97]),
      Buffer.from('password'.repeat(8)),
    ])
    const lying = pool.subarray(0, 14)
    expect((await refusalOf(ada.send(lying))).code).toBe('bad-update')
    expect(bob.text).toBe('')
    expect((await fixture.store.load(id, 'body')).updates).toEqual([])
  })
})

test('overlapping formatting is stored as it was sent', async () => {
  const { windows, id, owner } = await fixture.documentWithWindows()
  const [ada, bob] = windows as [RoomWindow, RoomWindow]
  await ada.type('bold and bold')
  await waitUntil(() => bob.text !== '')
  const format = (window: RoomWindow, from: number, length: number) => {
    const before = Y.encodeStateVector(window.doc)
    window.doc.getText('trace').format(from, length, { bold: true })
    return Y.encodeStateAsUpdate(window.doc, before)
  }
  const [one, two] = [format(ada, 0, 8), format(bob, 4, 9)]
  await Promise.all([ada.send(one), bob.send(two)])
  const read = await fixture.read(id)
  const delta = read.getText('trace').toDelta() as { insert: string; attributes?: object }[]
  expect(delta.map(({ insert }) => insert).join('')).toBe('bold and bold')
  expect(soundnessOf(read)).toBe('sound')
  const late = await RoomWindow.open(fixture.rooms, id, owner)
  expect(late.doc.getText('trace').toDelta()).toEqual(delta)
})

describe('[A6] a document has a size', () => {
  test('an edit that would make it too large for one message is refused, and later members can still open it', async () => {
    const { windows, open } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    const pasted = 'x'.repeat(MAX_DOCUMENT_BYTES / 2)
    await ada.type(pasted)
    expect((await refusalOf(ada.type(pasted)))?.code).toBe('too-large')
    expect((await open()).text).toBe(pasted)
  })

  test('at its limit it is measured in a worker, and again once enough of it has changed', async () => {
    const { windows } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    await ada.type('x'.repeat(MAX_DOCUMENT_BYTES / 2))
    const tooMuch = Y.encodeStateAsUpdate(docOf('y'.repeat(MAX_DOCUMENT_BYTES / 2)))
    const measured = vi.spyOn(TextWorkerPool.prototype, 'size')
    const add = async (): Promise<number> => {
      expect((await refusalOf(ada.send(tooMuch))).code).toBe('too-large')
      return measured.mock.calls.length
    }
    expect([await add(), await add()]).toEqual([1, 1])
    await ada.type('z')
    expect(await add()).toBe(1)
    await ada.type('z'.repeat(MAX_DOCUMENT_BYTES / 64))
    expect([await add(), await add()]).toEqual([2, 2])
  })

  test.runIf(triesAll)('an edit that waits for the measurement keeps its place', async () => {
    const { windows } = await fixture.documentWithWindows(2)
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    const pasted = 'x'.repeat(MAX_DOCUMENT_BYTES / 2)
    await ada.type(pasted)
    ada.doc.getText('trace').delete(0, pasted.length)
    const edits = [ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(ada.doc)))]
    for (const text of [pasted, 'behind it', 'last']) edits.push(ada.type(text, 0))
    await Promise.all(edits)
    await waitUntil(() => bob.text === ada.text)
  })

  test('what was refused does not count', async () => {
    const { windows } = await fixture.documentWithWindows(2)
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    await ada.type('x'.repeat(MAX_DOCUMENT_BYTES / 2))
    const rubbish = new Uint8Array(MAX_DOCUMENT_BYTES / 2 - 10_000).fill(255)
    for (let time = 0; time < 2; time++) expect((await refusalOf(bob.send(rubbish)))?.code).toBe('bad-update')
    await ada.type('y'.repeat(20_000))
  })

  test.runIf(triesAll)('text that was typed and deleted again does not count', async () => {
    const { windows } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    const pasted = 'x'.repeat(MAX_DOCUMENT_BYTES / 2)
    await ada.type(pasted)
    ada.doc.getText('trace').delete(0, pasted.length)
    await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(ada.doc)))
    await ada.type(pasted)
    expect(ada.text).toBe(pasted)
  })
})
