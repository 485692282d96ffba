import { expect, test } from 'vitest'
import { clientsOf } from './crowd.ts'

test('each of two nodes gets half of a document’s clients', () => {
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
