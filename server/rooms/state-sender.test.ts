import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { settle } from '../../lib/fixtures/wait.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { docOf } from './fixtures/rooms-fixture.ts'
import type { Clocks } from './clocks.ts'
import { RoomFaults } from './room-faults.ts'
import type { FirstState, RoomMember, RoomMembers } from './room-members.ts'
import { RoomText } from './room-text.ts'
import { StateSender } from './state-sender.ts'
import { readExtent } from './count-memory.ts'

const NOTHING: Clocks = new Map()
const member = { session: 'ada', lagClocks: null } as RoomMember

/** Over a text of one letter. What is to be on disk first is in `queued`. */
function openSender({ isDocInUse = false, isStoreFailing = false } = {}) {
  const doc = docOf('a')
  const text = RoomText.fromLoaded({ updates: [Y.encodeStateAsUpdate(doc)], sequence: 1, logLength: 1 })
  const queued: (() => void)[] = []
  const sent: string[] = []
  const difference = vi.fn((_document: string, stored: Uint8Array[]) => Promise.resolve(Y.mergeUpdates(stored))) // prettier-ignore
  const textOf = ({ updates }: FirstState): string => {
    const reader = new Y.Doc()
    for (const update of updates) Y.applyUpdate(reader, update)
    return reader.getText('trace').toJSON()
  }
  const sender = new StateSender({
    document: 'd',
    log: silentLogger,
    textWorkers: { difference },
    text,
    members: {
      sendState: (_member: RoomMember, state: () => FirstState) => void sent.push(textOf(state())),
      stateVector: Uint8Array.of(0),
      missingShareOf: () => 1,
    } as unknown as RoomMembers,
    faults: new RoomFaults(() => {}),
    doc: () => text.doc,
    isDocInUse: () => isDocInUse,
    isStoreFailing: () => isStoreFailing,
    runAfterQueue: (run) => queued.push(run),
    evict: (_member, reason) => sent.push(reason.code),
  })
  /** Another letter is committed. */
  const type = (letter: string): void => {
    const before = Y.encodeStateVector(doc)
    doc.getText('trace').insert(doc.getText('trace').length, letter)
    const update = Y.encodeStateAsUpdate(doc, before)
    text.integrateRemote([update], [readExtent(update).clocks])
    text.addStored(update, 2)
  }
  return { sender, text, queued, sent, difference, type, known: new Map([[1, 1]]) }
}

test('[D1] a first state waits for the queue, and is the stored text of that moment', () => {
  const { sender, text, queued, sent, type } = openSender()
  sender.sendState(member, NOTHING)
  type('b')
  expect([sent, text.isDocBuilt]).toEqual([[], false])
  queued.shift()!()
  expect(sent).toEqual(['ab'])
})

test('[D1] what a member lacks is encoded at once, and sent when it is on disk', () => {
  const { sender, queued, sent, type, known } = openSender()
  sender.sendState(member, known)
  type('b')
  expect(sent).toEqual([])
  queued.shift()!()
  expect(sent).toEqual(['a'])
})

test('[D1] what is committed while a worker computes is sent with its answer, which a compaction makes it compute again', async () => {
  const { sender, text, queued, sent, difference, type, known } = openSender({ isDocInUse: true })
  sender.sendState(member, known)
  expect(difference).not.toHaveBeenCalled()
  queued.shift()!()
  type('b')
  await settle()
  expect([sent, difference.mock.calls.length]).toEqual([['ab'], 1])
  sender.sendState(member, known)
  queued.shift()!()
  text.onCompacted(Y.mergeUpdates(text.stored), 2)
  await settle()
  expect([sent, difference.mock.calls.length]).toEqual([['ab', 'ab'], 3])
})

test('a member whose state cannot be computed is evicted', async () => {
  const { sender, queued, sent, difference, known } = openSender({ isDocInUse: true })
  difference.mockRejectedValueOnce(new Error('the worker is gone'))
  sender.sendState(member, known)
  queued.shift()!()
  await settle()
  expect(sent).toEqual(['overloaded'])
})

test('[D3] while the store fails nothing is encoded that would be held until it heals', async () => {
  const { sender, queued, sent, difference, known } = openSender({ isStoreFailing: true })
  sender.sendState(member, known)
  expect(difference).not.toHaveBeenCalled()
  queued.shift()!()
  await settle()
  expect([sent, difference.mock.calls.length]).toEqual([['a'], 1])
})

test('a worker is given no more entries than the document has clients', async () => {
  const { sender, text, queued, difference } = openSender({ isDocInUse: true })
  const [client] = [...text.clocks.keys()] as [number]
  sender.sendState(
    member,
    new Map([[client, 0], ...Array.from({ length: 1_000 }, (_, id) => [id, 1] as const)]),
  )
  queued.shift()!()
  await settle()
  expect(difference).toHaveBeenCalledWith('d', text.stored, Y.encodeStateVector(new Map([[client, 0]])))
})
