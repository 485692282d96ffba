import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { loadPart, readContinuation } from './log-reader.ts'

type Row = Record<string, unknown>

/** Answers every question with these rows. */
const readerOf = (rows: readonly Row[]) => ({ query: async () => ({ rows }) }) as unknown as pg.Pool

const nothing = { bytes: null, state_vector: null, principal: null }

const editRow = (number: number, text: string): Row => {
  const bytes = Buffer.from(text)
  return { ...nothing, kind: 'edit', number, bytes, checksum: crc32(bytes) }
}

const snapshotRow = (number: number, text: string, stateVector?: string): Row => {
  const bytes = Buffer.from(text)
  const state_vector = stateVector === undefined ? null : Buffer.from(stateVector)
  const checksum = state_vector ? crc32(state_vector, crc32(bytes)) : crc32(bytes)
  return { ...nothing, kind: 'snapshot', number, bytes, state_vector, checksum }
}

const ownerRow = (client: number, principal: string, recoverable = 0): Row => ({
  ...nothing,
  kind: 'owner',
  number: client,
  checksum: recoverable,
  principal,
})

const damaged = (row: Row): Row => ({ ...row, checksum: (row.checksum as number) ^ 1 })

const textsOf = (updates: readonly Uint8Array[]): string[] =>
  updates.map((bytes) => Buffer.from(bytes).toString())

describe('a part that is loaded', () => {
  const load = (...rows: Row[]) => loadPart(readerOf(rows), 'd', 'body')

  test('without any rows is empty', async () => {
    expect(await load()).toEqual({ updates: [], sequence: 0, logLength: 0 })
  })

  test('has the snapshot first, then the log, with the owners of its client ids', async () => {
    const rows = [editRow(8, 'one'), editRow(9, 'two'), ownerRow(5, 'ada'), ownerRow(6, 'bob', 1)]
    const { updates, stateVector, ...rest } = await load(...rows, snapshotRow(7, 'all before', 'vector'))
    expect(textsOf(updates)).toEqual(['all before', 'one', 'two'])
    expect(Buffer.from(stateVector!).toString()).toBe('vector')
    expect(rest).toEqual({
      sequence: 9,
      logLength: 2,
      owners: new Map([
        [5, 'ada'],
        [6, 'bob'],
      ]),
      recoverable: new Set([6]),
    })
  })

  test('has a snapshot in pieces as one update', async () => {
    const pieceRow = { ...nothing, kind: 'piece', number: 1, bytes: Buffer.from('before'), checksum: 0 }
    const checksum = crc32(Buffer.from('all before'))
    const rows = [editRow(8, 'one'), pieceRow, { ...snapshotRow(7, 'all '), checksum }]
    const { updates, logLength } = await load(...rows)
    expect([textsOf(updates), logLength]).toEqual([['all before', 'one'], 1])
    await expect(load(rows[0]!, rows[2]!)).rejects.toThrow('The snapshot of body of d is damaged')
  })

  test.each<[what: string, rows: Row[], message: string]>([
    ['a damaged entry', [damaged(editRow(1, 'one'))], 'Log entry 1 of body of d is damaged'],
    ['a missing first entry', [editRow(2, 'two')], 'Log entry 1 of body of d is missing'],
    ['a gap', [editRow(1, 'one'), editRow(3, 'three')], 'Log entry 2 of body of d is missing'],
    [
      'a gap after the snapshot',
      [editRow(9, 'nine'), snapshotRow(7, 'all')],
      'Log entry 8 of body of d is missing',
    ],
    ['a damaged snapshot', [damaged(snapshotRow(7, 'all'))], 'The snapshot of body of d is damaged'],
    ['a damaged state vector', [damaged(snapshotRow(7, 'all', 'v'))], 'The snapshot of body of d is damaged'],
  ])('[D4] with %s is an error that names it', async (_what, rows, message) => {
    await expect(load(...rows)).rejects.toThrow(message)
  })
})

describe('the edits after a sequence', () => {
  const read = (...rows: Row[]) => readContinuation(readerOf(rows), 'd', 'body', 7)

  test('come with the owners of their client ids', async () => {
    const rows = [
      editRow(8, 'one'),
      editRow(9, 'two'),
      ownerRow(5, 'ada'),
      { ...snapshotRow(7, ''), bytes: null },
    ]
    const { updates, owners } = (await read(...rows))!
    expect([textsOf(updates), owners]).toEqual([['one', 'two'], new Map([[5, 'ada']])])
  })

  test('are not all there where the snapshot ends later', async () => {
    expect(await read(editRow(9, 'two'), { ...snapshotRow(8, ''), bytes: null })).toBeNull()
  })

  test('[D4] with a gap are an error', async () => {
    await expect(read(editRow(9, 'two'))).rejects.toThrow('Log entry 8 of body of d is missing')
  })
})
