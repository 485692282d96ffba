import { describe, expect, test } from 'vitest'
import { ClientOwners, MAX_RESERVED } from './client-owners.ts'

const ada = { principal: 'user:ada' }
const bob = { principal: 'user:bob' }

const ids = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

describe('[A5] the owners of client ids', () => {
  test('several ids are all claimed, or none', () => {
    const owners = new ClientOwners({ owners: new Map([[7, 'user:ada']]) })
    expect(() => owners.claim([1, 7], bob)).toThrow('client 7 is somebody else')
    expect(owners.ownerOf(1)).toBeUndefined()
    const { claims, recovers } = owners.claim([1, 7], ada)
    expect({ claims, recovers }).toEqual({ claims: [{ client: 1, principal: 'user:ada' }], recovers: false })
    expect(owners.ownerOf(1)).toBeUndefined()
    owners.recordClaims(claims)
    expect(owners.claim([1, 7], ada).claims).toEqual([])
  })

  test('an id that was announced twice stays reserved until both windows left, and enough others left after them', () => {
    const owners = new ClientOwners({})
    owners.announce(7, ada)
    owners.announce(7, ada)
    const others = ids(100, MAX_RESERVED)
    const depart = (clients: readonly number[]) => {
      for (const client of clients) owners.announce(client, bob)
      for (const client of clients) owners.release(client, bob)
    }
    owners.release(7, ada)
    depart(others)
    expect(owners.ownerOf(7)).toBe('user:ada')
    owners.release(7, ada)
    expect(owners.ownerOf(7)).toBe('user:ada')
    depart(ids(100 + MAX_RESERVED, MAX_RESERVED))
    expect(owners.ownerOf(7)).toBeUndefined()
  })

  test('an id that was used stays its owner’s, however many windows left since', () => {
    const owners = new ClientOwners({})
    owners.announce(7, ada)
    owners.recordClaims(owners.claim([7], ada).claims)
    owners.release(7, ada)
    for (const client of ids(100, 2 * MAX_RESERVED)) {
      owners.announce(client, bob)
      owners.release(client, bob)
    }
    expect(owners.ownerOf(7)).toBe('user:ada')
  })

  test('among those who share a link’s token, only the window that announced an id writes under it while it is here', () => {
    const owners = new ClientOwners({})
    const [one, other] = ['one', 'other'].map((window) => ({ principal: 'link:x', window }))
    owners.announce(7, one!)
    owners.claim([7], one!)
    expect(() => owners.claim([7], other!)).toThrow('somebody else')
    expect(() => owners.announce(7, other!)).toThrow('somebody else')
    expect(owners.claim([8], other!).claims).toHaveLength(1)
    owners.release(7, one!)
    owners.claim([7], other!)
  })
})
