/** Budgets of what is held for readers: who is charged for what, and who is sent away. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SharedUpdates } from '../../lib/protocol/shared.ts'
import { type Debt, Debts } from './debts.ts'

const KIB = 1024
const MUCH = 100 * KIB
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('[S6] debts', () => {
  let debts: Debts
  let sentAway: string[]
  beforeEach(() => {
    debts = new Debts({ principalBytes: 250 * KIB, processBytes: 600 * KIB })
    sentAway = []
  })

  /** One that lets go of everything when it is sent away. */
  function open(principal: string, name: string): Debt {
    const debt = debts.open(principal, ({ code, retryAfterMs }) => {
      expect([code, retryAfterMs]).toEqual(['overloaded', expect.any(Number)])
      sentAway.push(name)
      debt.close()
    })
    return debt
  }

  test('the oldest debtor of a principal is sent away once all of them owe too much, at the end of the turn', async () => {
    const [first, second] = [open('a', 'first'), open('a', 'second')]
    open('b', 'other').charge(MUCH)
    first.charge(MUCH)
    second.charge(MUCH)
    await turn()
    expect(sentAway).toEqual([])
    second.charge(MUCH)
    expect(sentAway).toEqual([])
    await turn()
    expect(sentAway).toEqual(['first'])
    expect([debts.bytesOf('a'), debts.bytesOf('b'), debts.bytes]).toEqual([2 * MUCH, MUCH, 3 * MUCH])
  })

  test('who took something meanwhile is not the oldest', async () => {
    const [first, second] = [open('a', 'first'), open('a', 'second')]
    first.charge(MUCH + 1)
    second.charge(MUCH)
    first.release(1)
    second.charge(MUCH)
    await turn()
    expect(sentAway).toEqual(['second'])
  })

  test('where nobody owes much, the oldest of them goes', async () => {
    const names = ['first', 'second', 'third', 'fourth', 'fifth']
    for (const name of names) open('a', name).charge(60 * KIB)
    await turn()
    expect(sentAway).toEqual(['first'])
  })

  test('who owes little is not sent away for one that owes more, however long', async () => {
    open('a', 'small').charge(64 * KIB)
    open('a', 'large').charge(250 * KIB)
    await turn()
    expect(sentAway).toEqual(['large'])
  })

  test('the process has a budget of its own: the oldest of all goes', async () => {
    const names = ['a', 'b', 'c']
    for (const name of names) open(name, name).charge(2 * MUCH)
    await turn()
    expect(sentAway).toEqual([])
    open('d', 'd').charge(MUCH)
    await turn()
    expect(sentAway).toEqual(['a'])
  })

  test('what one that was sent away still holds sends away no other, up to a whole budget of it', async () => {
    const slow = debts.open('a', () => sentAway.push('slow')) // its link lets go later
    const other = open('a', 'other')
    slow.charge(2 * MUCH)
    other.charge(MUCH)
    await turn()
    expect(sentAway).toEqual(['slow'])
    other.charge(MUCH)
    await turn()
    expect([sentAway, debts.bytesOf('a')]).toEqual([['slow'], 4 * MUCH])
    slow.charge(2 * MUCH)
    await turn()
    expect(sentAway).toEqual(['slow', 'other'])
    slow.close()
    expect([debts.bytesOf('a'), debts.bytes]).toEqual([0, 0])
    open('a', 'next').charge(2 * MUCH)
    await turn()
    expect(sentAway).toEqual(['slow', 'other'])
  })

  test('bytes that many share count once for a principal and once for the process', async () => {
    const all = SharedUpdates.of([new Uint8Array(MUCH), new Uint8Array(10)])
    const { holders } = all
    const others = all.without([1])! // to whoever made one of them the rest is told, of the same bytes
    const readers = ['a', 'a', 'a', 'b'].map((principal, index) => open(principal, String(index)))
    for (const debt of readers) debt.chargeShared(holders)
    readers[0]!.chargeShared(others.holders)
    await turn()
    expect(sentAway).toEqual([])
    expect([debts.bytesOf('a'), debts.bytesOf('b'), debts.bytes]).toEqual(Array(3).fill(holders.length))
    for (const debt of readers.slice(1)) debt.releaseShared(holders)
    expect([debts.bytesOf('a'), debts.bytesOf('b'), debts.bytes]).toEqual([holders.length, 0, holders.length])
    readers[0]!.releaseShared(others.holders)
    readers[0]!.releaseShared(holders)
    expect([debts.bytesOf('a'), debts.bytes]).toEqual([0, 0])
  })

  test('unless told otherwise a principal may owe 256 MiB, and all together 1 GiB', async () => {
    debts = new Debts()
    const [mine, ...others] = ['a', 'b', 'c', 'd', 'e'].map((name) => open(name, name))
    mine!.charge(256 * KIB * KIB)
    await turn()
    expect(sentAway).toEqual([])
    mine!.charge(1)
    await turn()
    expect(sentAway).toEqual(['a'])
    for (const other of others) other.charge(256 * KIB * KIB)
    await turn()
    expect(sentAway).toEqual(['a'])
    open('f', 'f').charge(1)
    await turn()
    expect(sentAway).toEqual(['a', 'b'])
  })

  test('nothing is left of whoever has gone', () => {
    const debt = open('a', 'gone')
    debt.set(MUCH)
    debt.set(10)
    debt.close()
    debt.charge(MUCH)
    debt.release(MUCH)
    expect([debts.bytesOf('a'), debts.bytes]).toEqual([0, 0])
  })
})
