import { describe, expect, test } from 'vitest'
import { ClientOwners, MAX_DEPARTED } from './client-owners.ts'

const ids = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

describe('[A5] the owners of client ids', () => {
  test('of several ids all are claimed or none', () => {
    const owners = new ClientOwners({ owners: new Map([[7, 'user:ada']]) })
    expect(() => owners.claim([1, 7], 'user:bob')).toThrow('client 7 is somebody else')
    expect(owners.ownerOf(1)).toBeUndefined()
    const { claims, recovers } = owners.claim([1, 7], 'user:ada')
    expect({ claims, recovers }).toEqual({ claims: [{ client: 1, principal: 'user:ada' }], recovers: false })
    expect(owners.ownerOf(1)).toBeUndefined()
    owners.own(claims)
    expect(owners.claim([1, 7], 'user:ada').claims).toEqual([])
  })

  test('an id that was announced twice is free no sooner than both windows left, and others left behind them', () => {
    const owners = new ClientOwners({})
    owners.announce(7, 'user:ada')
    owners.announce(7, 'user:ada')
    const others = ids(100, MAX_DEPARTED)
    const depart = (clients: readonly number[]) => {
      for (const client of clients) owners.announce(client, 'user:bob')
      for (const client of clients) owners.leave(client)
    }
    owners.leave(7)
    depart(others)
    expect(owners.ownerOf(7)).toBe('user:ada')
    owners.leave(7)
    expect(owners.ownerOf(7)).toBe('user:ada')
    depart(ids(100 + MAX_DEPARTED, MAX_DEPARTED))
    expect(owners.ownerOf(7)).toBeUndefined()
  })

  test('an id that was used stays its owner’s, however many left since', () => {
    const owners = new ClientOwners({})
    owners.announce(7, 'user:ada')
    owners.own(owners.claim([7], 'user:ada').claims)
    owners.leave(7)
    for (const client of ids(100, 2 * MAX_DEPARTED)) {
      owners.announce(client, 'user:bob')
      owners.leave(client)
    }
    expect(owners.ownerOf(7)).toBe('user:ada')
  })
})
