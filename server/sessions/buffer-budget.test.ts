/** Budgets of what is held for readers: who is charged, and who is evicted. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { type BufferAccount, BufferBudget } from './buffer-budget.ts'
import { settle } from '../../lib/fixtures/wait.ts'

const KIB = 1024
const MUCH = 100 * KIB
describe('[S6] buffer accounts', () => {
  let budget: BufferBudget
  let evicted: string[]
  beforeEach(() => {
    budget = new BufferBudget({ principalBytes: 250 * KIB, processBytes: 600 * KIB })
    evicted = []
  })

  /** An account that releases everything when it is evicted. */
  function open(principal: string, name: string): BufferAccount {
    const account = budget.openAccount(principal, ({ code, retryAfterMs }) => {
      expect([code, retryAfterMs]).toEqual(['overloaded', expect.any(Number)])
      evicted.push(name)
      account.close()
    })
    return account
  }

  test('the oldest account of a principal is evicted at the end of the turn, once all of them are over the budget', async () => {
    const [first, second] = [open('a', 'first'), open('a', 'second')]
    open('b', 'other').charge(MUCH)
    first.charge(MUCH)
    second.charge(MUCH)
    await settle()
    expect(evicted).toEqual([])
    second.charge(MUCH)
    expect(evicted).toEqual([])
    await settle()
    expect(evicted).toEqual(['first'])
    expect([budget.bytesOf('a'), budget.bytesOf('b'), budget.bytes]).toEqual([2 * MUCH, MUCH, 3 * MUCH])
  })

  test('a reader that took something meanwhile is not the oldest', async () => {
    const [first, second] = [open('a', 'first'), open('a', 'second')]
    first.charge(MUCH + 1)
    second.charge(MUCH)
    first.release(1)
    second.charge(MUCH)
    await settle()
    expect(evicted).toEqual(['second'])
  })

  test('if all accounts are small, the oldest of them is evicted', async () => {
    const names = ['first', 'second', 'third', 'fourth', 'fifth']
    for (const name of names) open('a', name).charge(60 * KIB)
    await settle()
    expect(evicted).toEqual(['first'])
  })

  test('a small account is not evicted instead of a larger one, however old it is', async () => {
    open('a', 'small').charge(64 * KIB)
    open('a', 'large').charge(250 * KIB)
    await settle()
    expect(evicted).toEqual(['large'])
  })

  test('the process has a budget of its own: the oldest of all accounts is evicted', async () => {
    const names = ['a', 'b', 'c']
    for (const name of names) open(name, name).charge(2 * MUCH)
    await settle()
    expect(evicted).toEqual([])
    open('d', 'd').charge(MUCH)
    await settle()
    expect(evicted).toEqual(['a'])
  })

  test('the bytes that an evicted account still holds evict no other, up to a whole budget', async () => {
    const slowAccount = budget.openAccount('a', () => evicted.push('slow')) // its link releases them later
    const other = open('a', 'other')
    slowAccount.charge(2 * MUCH)
    other.charge(MUCH)
    await settle()
    expect(evicted).toEqual(['slow'])
    other.charge(MUCH)
    await settle()
    expect([evicted, budget.bytesOf('a')]).toEqual([['slow'], 4 * MUCH])
    slowAccount.charge(2 * MUCH)
    await settle()
    expect(evicted).toEqual(['slow', 'other'])
    slowAccount.close()
    expect([budget.bytesOf('a'), budget.bytes]).toEqual([0, 0])
    open('a', 'next').charge(2 * MUCH)
    await settle()
    expect(evicted).toEqual(['slow', 'other'])
  })

  test('bytes that many share count once for a principal and once for the process', async () => {
    const sharedUpdates = SharedUpdates.of([new Uint8Array(MUCH), new Uint8Array(10)])
    const { holders } = sharedUpdates
    const others = sharedUpdates.withoutOwn([1]) // the author of one of them gets the rest, from the same bytes
    const readers = ['a', 'a', 'a', 'b'].map((principal, index) => open(principal, String(index)))
    for (const account of readers) account.chargeShared(holders)
    readers[0]!.chargeShared(others.holders)
    await settle()
    expect(evicted).toEqual([])
    expect([budget.bytesOf('a'), budget.bytesOf('b'), budget.bytes]).toEqual(Array(3).fill(holders.length))
    for (const account of readers.slice(1)) account.releaseShared(holders)
    expect([budget.bytesOf('a'), budget.bytesOf('b'), budget.bytes]).toEqual([
      holders.length,
      0,
      holders.length,
    ])
    readers[0]!.releaseShared(others.holders)
    readers[0]!.releaseShared(holders)
    expect([budget.bytesOf('a'), budget.bytes]).toEqual([0, 0])
  })

  test('by default a principal may hold 256 MiB, and all together 1 GiB', async () => {
    budget = new BufferBudget()
    const [ownAccount, ...others] = ['a', 'b', 'c', 'd', 'e'].map((name) => open(name, name))
    ownAccount!.charge(256 * KIB * KIB)
    await settle()
    expect(evicted).toEqual([])
    ownAccount!.charge(1)
    await settle()
    expect(evicted).toEqual(['a'])
    for (const other of others) other.charge(256 * KIB * KIB)
    await settle()
    expect(evicted).toEqual(['a'])
    open('f', 'f').charge(1)
    await settle()
    expect(evicted).toEqual(['a', 'b'])
  })

  test('nothing is left of a closed account', () => {
    const account = open('a', 'gone')
    account.setBytes(MUCH)
    account.setBytes(10)
    account.close()
    account.charge(MUCH)
    account.release(MUCH)
    expect([budget.bytesOf('a'), budget.bytes]).toEqual([0, 0])
  })
})
