import { describe, expect, test } from 'vitest'
import { settle } from '../../lib/fixtures/wait.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { textEdit } from '../store/fixtures/text-edits.ts'
import { AppendConflict, type DocumentEdit } from '../store/store.ts'
import { CommitQueue, type CommitQueueOptions, type QueuedEdit } from './commit-queue.ts'
import type { RoomMember } from './room-members.ts'
import { RoomRefusal } from './rooms.ts'

const textOf = ({ update }: Pick<DocumentEdit, 'update'>): string => new TextDecoder().decode(update)
const memberNamed = (session: string): RoomMember => ({ session, uncommittedEdits: 0 }) as RoomMember

/** A queue over a store that appends when the test says so, and all that it reported. */
function openQueue(overrides: Partial<CommitQueueOptions> = {}) {
  const events: string[] = []
  const appends: { texts: string[]; answer: PromiseWithResolvers<number[]> }[] = []
  let stored = 0
  const queue = new CommitQueue({
    document: 'd',
    store: {
      append(edits) {
        const answer = Promise.withResolvers<number[]>()
        appends.push({ texts: edits.map(textOf), answer })
        return answer.promise
      },
    },
    log: silentLogger,
    counts: new ServerCounts(),
    countMembers: () => 1,
    onBeforeBatch: () => {},
    onStored: (edits, first) => events.push(`batch of ${edits.length} at ${first}`),
    broadcast: ({ sequence, author, ...edit }) =>
      events.push(`${sequence}: ${textOf(edit)} of ${author?.session}`),
    onReported: (edits) => events.push(`end of ${edits.length}`),
    onFailing: () => {},
    onFault: (error, edits) => events.push(`${String(error)}: ${edits.map(textOf).join(' ')}`),
    ...overrides,
  })
  const add = (text: string | null, author: RoomMember | null = null): QueuedEdit => {
    const queued = queue.add(text === null ? null : textEdit('d', text), new Map(), author)
    queued.committed.then(
      () => events.push(`saved ${text}`),
      ({ reason }: RoomRefusal) => events.push(`refused ${text}: ${reason.code}`),
    )
    return queued
  }
  return {
    queue,
    events,
    add,
    /** What is being appended. */
    appending: () => appends.at(-1)?.texts,
    /** The store has the batch, or fails with this error. */
    async answer(error?: Error) {
      const { texts, answer } = appends.at(-1)!
      if (error) answer.reject(error)
      else answer.resolve(texts.map(() => (stored += 1)))
      await settle()
    },
  }
}

describe('[D1] an edit', () => {
  test('is broadcast when it is on disk and not before, and its author is answered after that', async () => {
    const { events, add, appending, answer } = openQueue()
    const [ada, bob] = [memberNamed('ada'), memberNamed('bob')]
    add('a', ada)
    add('b', bob)
    await settle()
    expect([events, appending(), ada.uncommittedEdits]).toEqual([[], ['a', 'b'], 1])
    await answer()
    expect(events).toEqual([
      'batch of 2 at 1',
      '1: a of ada',
      '2: b of bob',
      'end of 2',
      'saved a',
      'saved b',
    ])
    expect([ada.uncommittedEdits, bob.uncommittedEdits]).toEqual([0, 0])
  })

  test('that is known already is answered behind those before it, which may be its source', async () => {
    const { events, add, answer } = openQueue()
    add('a')
    add(null)
    await settle()
    expect(events).toEqual([])
    await answer()
    expect(events.slice(-2)).toEqual(['saved a', 'saved null'])
  })

  test('of another node is broadcast in its place, under the number that it has', async () => {
    const { queue, events, add, answer } = openQueue()
    add('a')
    queue.addRemote({ update: textEdit('d', 'theirs').update, sequence: 7 }, new Map())
    await settle()
    expect(events).toEqual([])
    await answer()
    expect(events).toEqual(['batch of 1 at 1', '1: a of undefined', '7: theirs of undefined', 'end of 1', 'saved a']) // prettier-ignore
  })

  test('that is refused while it waits is not stored, and the numbers of the others have no gap', async () => {
    const { queue, events, add, appending, answer } = openQueue()
    const ada = memberNamed('ada')
    const bad = add('bad', ada)
    add('b')
    expect(queue.holds(textEdit('d', 'bad').update)).toBe(true)
    bad.refuse(new RoomRefusal({ code: 'bad-update' }))
    expect(queue.holds(textEdit('d', 'bad').update)).toBe(false)
    await settle()
    expect(appending()).toEqual(['b'])
    await answer()
    expect(events).toEqual(['batch of 1 at 1', '1: b of undefined', 'end of 1', 'refused bad: bad-update', 'saved b']) // prettier-ignore
    expect(ada.uncommittedEdits).toBe(0)
  })
})

describe('a callback', () => {
  test('runs between the edits that it stands between', async () => {
    const { queue, events, add, answer } = openQueue()
    add('a')
    queue.runAfterAll(() => events.push('state'))
    add('b')
    await settle()
    await answer()
    expect(events.slice(0, 4)).toEqual(['batch of 2 at 1', '1: a of undefined', 'state', '2: b of undefined'])
  })

  test('behind a member’s edits runs at once if the member has none on their way', async () => {
    const { queue, events, add, answer } = openQueue()
    const [ada, bob] = [memberNamed('ada'), memberNamed('bob')]
    add('a', ada)
    queue.tryRunAfterEditsOf(bob, () => events.push('caret of bob'))
    queue.tryRunAfterEditsOf(ada, () => events.push('caret of ada'))
    await settle()
    expect(events).toEqual(['caret of bob'])
    await answer()
    expect(events.slice(1, 4)).toEqual(['batch of 1 at 1', '1: a of ada', 'caret of ada'])
  })

  test('of the moment is dropped where a thousand entries wait', async () => {
    const { queue, events, add, answer } = openQueue()
    add('a')
    await settle() // the first edit is being appended, and counts no more
    for (let entries = 0; entries < 999; entries++) queue.runAfterAll(() => {})
    queue.tryRunAfterAll(() => events.push('in time'))
    queue.tryRunAfterAll(() => events.push('dropped'))
    await answer()
    expect(events).toContain('in time')
    expect(events).not.toContain('dropped')
    queue.tryRunAfterAll(() => events.push('at once'))
    expect(events.at(-1)).toBe('at once')
  })
})

test('[A7] what waits when the room fails is refused: nobody learns whether it is stored, and no callback runs', async () => {
  const { queue, events, add, answer } = openQueue()
  add('a')
  queue.runAfterAll(() => events.push('state'))
  await settle()
  add('b')
  await answer(new AppendConflict([7]))
  await settle()
  expect(events.slice(1)).toEqual(['refused a: overloaded', 'refused b: overloaded'])
  expect(events[0]).toMatch(/: a b$/)
})
