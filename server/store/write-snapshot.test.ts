/** Long snapshots on SQLite. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import type { Store } from './document-store.ts'
import { openSqliteStore } from './sqlite.ts'
import { PIECE_BYTES } from './write-snapshot.ts'

let store: Store
beforeEach(async () => {
  store = await openSqliteStore({ file: join(await createStoreFolder(), 'store.sqlite') })
  await store.documents.append([textEdit('d', 'one'), textEdit('d', 'two')])
})
afterEach(() => store.close())

/** No two pieces are equal. */
const stateOf = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => (index ^ (index >> 8) ^ (index >> 16)) & 255)

const compact = (state: Uint8Array, sequence = 2) =>
  store.documents.compact('d', 'body', state, sequence, Uint8Array.of(7))

const pieces = async () =>
  (
    await sql<{ snapshot: string; bytes: number }>`
      select snapshot, length(bytes) as bytes from snapshot_pieces order by piece
    `.execute(store.db)
  ).rows

const expectLoaded = async (state: Uint8Array) => {
  const { updates, stateVector, logLength } = await store.documents.load('d', 'body')
  expect([updates.length, Buffer.compare(updates[0]!, state), [...stateVector!], logLength]).toEqual([
    1,
    0,
    [7],
    0,
  ])
}

describe('[D5] a long snapshot', () => {
  test('[A6] lets others commit after each piece', async () => {
    const done: string[] = []
    const compaction = compact(stateOf(6 * PIECE_BYTES)).then(() => done.push('snapshot'))
    for (const name of ['first', 'second', 'third', 'fourth']) {
      await store.documents.append([textEdit('e', name)])
      done.push(name)
    }
    await compaction
    expect(done).toEqual(['first', 'second', 'third', 'fourth', 'snapshot'])
  })

  test.each([1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES - 1])(
    'of %i bytes is loaded as it was written, and no transaction writes more than a piece of it',
    async (bytes) => {
      const state = stateOf(bytes)
      await compact(state)
      await expectLoaded(state)
      const further = await pieces()
      expect(further.length).toBe(Math.ceil(bytes / PIECE_BYTES) - 1)
      expect(Math.max(0, ...further.map((piece) => piece.bytes))).toBeLessThanOrEqual(PIECE_BYTES)
    },
  )

  test('that is replaced leaves nothing, nor does a snapshot that is refused, or was never finished', async () => {
    await compact(stateOf(40 * PIECE_BYTES))
    const neverFinished = { document: 'd', part: 'body', snapshot: 'x', piece: 1 } as const
    await store.db
      .insertInto('snapshot_pieces')
      .values({ ...neverFinished, bytes: new Uint8Array(9) })
      .execute()
    const state = stateOf(2 * PIECE_BYTES).reverse()
    await compact(state)
    expect(await pieces()).toHaveLength(1)
    await expect(compact(stateOf(3 * PIECE_BYTES), 3)).rejects.toThrow('does not fit')
    expect(await pieces()).toHaveLength(1)
    await expectLoaded(state)
    await compact(Uint8Array.of(1))
    expect(await pieces()).toEqual([])
  })

  test('that another one overtakes is refused, and leaves nothing', async () => {
    const overtaken = compact(stateOf(9 * PIECE_BYTES))
    const state = stateOf(2 * PIECE_BYTES)
    await Promise.all([compact(state), expect(overtaken).rejects.toThrow('has lost pieces to another one')])
    expect(await pieces()).toHaveLength(1)
    await expectLoaded(state)
  })

  test.each([
    ['changed', sql`update snapshot_pieces set bytes = zeroblob(length(bytes)) where piece = 2`],
    ['missing', sql`delete from snapshot_pieces where piece = 2`],
  ])('[D4] with a piece that is %s is served to nobody', async (_what, damage) => {
    await compact(stateOf(4 * PIECE_BYTES))
    await damage.execute(store.db)
    await expect(store.documents.load('d', 'body')).rejects.toThrow('The snapshot of body of d is damaged')
  })
})
