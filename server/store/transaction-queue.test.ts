import { expect, test, vi } from 'vitest'
import { createTransactionQueue, type TransactionRequest } from './transaction-queue.ts'

interface NamedRequest extends TransactionRequest {
  name: string
}

const openQueue = (idleTimeoutMs: number) => {
  const events: string[] = []
  let open: number | undefined
  const run = ({ kind, name, transaction }: NamedRequest, isOpen: boolean): boolean => {
    events.push(transaction === undefined || isOpen || kind === 'begin' ? name : `${name} refused`)
    if (kind === 'begin') open = transaction
    if (kind === 'commit' && isOpen) open = undefined
    return open !== undefined
  }
  const rollBack = () => {
    open = undefined
    events.push('rolled back')
  }
  const queue = createTransactionQueue(run, rollBack, idleTimeoutMs)
  const submit = (name: string, kind: string, transaction?: number) =>
    queue.submit({ kind, name, transaction })
  return { events, submit }
}

test('[D1] while a transaction is open all others wait, in order, and then run', () => {
  const { events, submit } = openQueue(60_000)
  submit('begin 1', 'begin', 1)
  submit('append', 'append')
  submit('query 1', 'query', 1)
  submit('begin 2', 'begin', 2)
  submit('load', 'load')
  expect(events).toEqual(['begin 1', 'query 1'])
  submit('commit 1', 'commit', 1)
  expect(events.slice(2)).toEqual(['commit 1', 'append', 'begin 2'])
  submit('query 2', 'query', 2)
  submit('commit 2', 'commit', 2)
  expect(events.slice(5)).toEqual(['query 2', 'commit 2', 'load'])
})

test('a transaction whose client is idle is rolled back; the others run, its later statements are refused', async () => {
  const { events, submit } = openQueue(20)
  submit('begin 1', 'begin', 1)
  submit('append', 'append')
  await vi.waitUntil(() => events.includes('append'))
  submit('query 1', 'query', 1)
  submit('commit 1', 'commit', 1)
  expect(events).toEqual(['begin 1', 'rolled back', 'append', 'query 1 refused', 'commit 1 refused'])
})

test('a statement of an ended transaction does not affect the open one', () => {
  const { events, submit } = openQueue(60_000)
  submit('begin 2', 'begin', 2)
  submit('query 1', 'query', 1)
  submit('append', 'append')
  submit('commit 2', 'commit', 2)
  expect(events).toEqual(['begin 2', 'query 1 refused', 'commit 2', 'append'])
})
