import { expect, test, vi } from 'vitest'
import { createTurns, type Turn } from './turns.ts'

interface Named extends Turn {
  name: string
}

const setup = (silentMs: number) => {
  const ran: string[] = []
  let open: number | undefined
  const run = ({ kind, name, transaction }: Named, isOpen: boolean): boolean => {
    ran.push(transaction === undefined || isOpen || kind === 'begin' ? name : `${name} refused`)
    if (kind === 'begin') open = transaction
    if (kind === 'commit' && isOpen) open = undefined
    return open !== undefined
  }
  const rollBack = () => {
    open = undefined
    ran.push('rolled back')
  }
  const turns = createTurns(run, rollBack, silentMs)
  const take = (name: string, kind: string, transaction?: number) => turns.take({ kind, name, transaction })
  return { ran, take }
}

test('[D1] while a transaction is open all others wait, in order, and then go on', () => {
  const { ran, take } = setup(60_000)
  take('begin 1', 'begin', 1)
  take('append', 'append')
  take('query 1', 'query', 1)
  take('begin 2', 'begin', 2)
  take('load', 'load')
  expect(ran).toEqual(['begin 1', 'query 1'])
  take('commit 1', 'commit', 1)
  expect(ran.slice(2)).toEqual(['commit 1', 'append', 'begin 2'])
  take('query 2', 'query', 2)
  take('commit 2', 'commit', 2)
  expect(ran.slice(5)).toEqual(['query 2', 'commit 2', 'load'])
})

test('a transaction whose client is silent is rolled back; the others go on, its later statements are refused', async () => {
  const { ran, take } = setup(20)
  take('begin 1', 'begin', 1)
  take('append', 'append')
  await vi.waitUntil(() => ran.includes('append'))
  take('query 1', 'query', 1)
  take('commit 1', 'commit', 1)
  expect(ran).toEqual(['begin 1', 'rolled back', 'append', 'query 1 refused', 'commit 1 refused'])
})

test('a statement of a dead transaction leaves the open one alone', () => {
  const { ran, take } = setup(60_000)
  take('begin 2', 'begin', 2)
  take('query 1', 'query', 1)
  take('append', 'append')
  take('commit 2', 'commit', 2)
  expect(ran).toEqual(['begin 2', 'query 1 refused', 'commit 2', 'append'])
})
