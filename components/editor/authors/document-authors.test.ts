import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientAuthorEntry } from '@/components/http-api.ts'
import { DocumentAuthors } from './document-authors.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const ada = { id: 'user:ada', name: 'Ada' }

/** @param known The clients that the server names. */
function openAuthors(known: Set<number>, present: readonly number[] = []) {
  const asked: (readonly number[])[] = []
  let failure: Error | null = null
  const states = new Map(present.map((client) => [client, { user: { id: 'user:ben', name: 'Ben' } }]))
  const authors = new DocumentAuthors(
    async (clients): Promise<ClientAuthorEntry[]> => {
      asked.push(clients)
      if (failure) throw failure
      return clients
        .filter((client) => known.has(client))
        .map((client) => ({ client, author: ada, since: '2026-01-02T03:04:05.000Z' }))
    },
    { getStates: () => states },
  )
  const want = async (...clients: readonly number[]) => {
    authors.want(clients)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { authors, asked, want, fail: (error: Error | null) => (failure = error) }
}

test('the server is asked once about each client, and not more than 200 at a time', async () => {
  const clients = Array.from({ length: 450 }, (_, client) => client + 1)
  const { authors, asked, want } = openAuthors(new Set(clients))
  await want(...clients)
  await want(...clients)
  expect(asked.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(authors.authorOf(450)).toEqual({ person: ada, since: '2026-01-02T03:04:05.000Z' })
})

test('whoever is here is known before their letters are saved, and the server counts from then on', async () => {
  const known = new Set<number>()
  const { authors, want } = openAuthors(known, [7])
  await want(7)
  expect(authors.authorOf(7)).toEqual({ person: { id: 'user:ben', name: 'Ben' }, since: null })
  known.add(7)
  await vi.advanceTimersByTimeAsync(5_000)
  await want(7)
  expect(authors.authorOf(7)?.person).toEqual(ada)
})

test('ids that nobody knows are asked about again, but not at each letter', async () => {
  const { authors, asked, want } = openAuthors(new Set())
  for (let letter = 0; letter < 10; letter++) await want(7)
  expect(asked).toEqual([[7]])
  await vi.advanceTimersByTimeAsync(5_000)
  await want(7)
  expect(asked).toEqual([[7], [7]])
  expect(authors.authorOf(7)).toBeUndefined()
})

test('a failure is told, and what was wanted is asked for later', async () => {
  const { authors, want, fail } = openAuthors(new Set([7]))
  let told = 0
  authors.subscribe(() => told++)
  fail(new Error('offline'))
  await want(7)
  expect([authors.hasFailed, told]).toEqual([true, 1])
  fail(null)
  await vi.advanceTimersByTimeAsync(5_000)
  await want(7)
  expect([authors.hasFailed, authors.authorOf(7)?.person.name]).toEqual([false, 'Ada'])
})
