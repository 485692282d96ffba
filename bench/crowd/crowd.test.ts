import { expect, test } from 'vitest'
import { clientsOf } from './crowd.ts'

test('half of each document’s clients are at each of two nodes', () => {
  const documents = ['a', 'b'].map((id) => ({ id, token: '' }))
  const clients = clientsOf({ origins: ['first', 'second'], clients: 6, perDocument: 4, documents })
  expect(clients.map(({ document, origin, first, count }) => [document, origin, first, count])).toEqual([
    ['a', 'first', 0, 4],
    ['a', 'second', 0, 4],
    ['a', 'first', 0, 4],
    ['a', 'second', 0, 4],
    ['b', 'first', 4, 2],
    ['b', 'second', 4, 2],
  ])
})
