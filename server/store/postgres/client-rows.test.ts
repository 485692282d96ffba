import type pg from 'pg'
import { expect, test } from 'vitest'
import type { DocumentEdit } from '../store.ts'
import { findConflicts, isClientConflict, recordClients } from './client-rows.ts'

/** Records the statements, by name, with the JSON that each was given. */
function createClient(rows: unknown[] = []) {
  const statements: [name: string | undefined, values: unknown][] = []
  const query = async (statement: string | { name: string; values: string[] }, values?: string[]) => {
    const [name, json] =
      typeof statement === 'string' ? [undefined, values![0]!] : [statement.name, statement.values[0]!]
    statements.push([name, JSON.parse(json)])
    return { rows }
  }
  return { statements, client: { query } as unknown as pg.ClientBase }
}

const editOf = (fields: Partial<DocumentEdit>): DocumentEdit => ({
  document: 'd',
  part: 'body',
  update: new Uint8Array(),
  principal: 'ada',
  session: 's',
  number: 1,
  clients: [],
  ...fields,
})

const where = { document: 'd', part: 'body' }
const claim = { client: 5, principal: 'ada' }

test('an edit of a desk, whose ids nobody compares, sends nothing', async () => {
  const { statements, client } = createClient()
  await recordClients(client, [editOf({})])
  expect(statements).toEqual([])
})

test('claims are sent in their order, and all statements before the first answer', () => {
  const { statements, client } = createClient()
  const second = { client: 6, principal: 'ada' }
  void recordClients(client, [
    editOf({ claims: [claim], runs: [{ client: 5, from: 0, to: 1 }] }),
    editOf({ claims: [second] }),
  ])
  expect(statements).toEqual([
    [
      'insert claims',
      [
        { ...where, ...claim, position: 0 },
        { ...where, ...second, position: 1 },
      ],
    ],
    ['advance clocks', [{ ...where, client: 5, from: 0, to: 1, principal: 'ada' }]],
  ])
})

test('the runs of one client id are one, from the first clock to the last; those of another part are another', async () => {
  const { statements, client } = createClient()
  await recordClients(client, [
    editOf({ runs: [{ client: 5, from: 3, to: 4 }] }),
    editOf({ runs: [{ client: 5, from: 4, to: 9 }] }),
    editOf({ part: 'comments', runs: [{ client: 5, from: 0, to: 2 }] }),
  ])
  expect(statements).toEqual([
    [
      'advance clocks',
      [
        { ...where, client: 5, from: 3, to: 9, principal: '' },
        { document: 'd', part: 'comments', client: 5, from: 0, to: 2, principal: '' },
      ],
    ],
  ])
})

test('a conflict is known by its error, and the ids are those that the database names', async () => {
  const { client } = createClient([{ client: 5 }, { client: 8 }])
  expect(await findConflicts(client, [editOf({ runs: [{ client: 5, from: 3, to: 4 }] })])).toEqual([5, 8])
  expect(isClientConflict(Object.assign(new Error('division by zero'), { code: '22012' }))).toBe(true)
  expect(isClientConflict(Object.assign(new Error('unique violation'), { code: '23505' }))).toBe(false)
})
