import { expect, test, vi } from 'vitest'
import {
  createTransactionQueue,
  type TransactionPhase,
  type TransactionRequest,
} from './transaction-queue.ts'

interface NamedRequest extends TransactionRequest {
  name: string
}

const openQueue = (idleTimeoutMs: number) => {
  const events: string[] = []
  let open: number | undefined
  let phase: TransactionPhase = 'over'
  const run = ({ kind, name, transaction }: NamedRequest, isOpen: boolean): TransactionPhase => {
    events.push(transaction === undefined || isOpen || kind === 'begin' ? name : `${name} refused`)
    if (kind === 'begin') open = transaction
    if (kind === 'begin') phase = 'reading'
    if (isOpen && name.startsWith('write')) phase = 'writing'
    if (kind === 'commit' && isOpen) open = undefined
    return open === undefined ? 'over' : phase
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

test('[D1] while a transaction is open and has written all others wait, in order, and then run', () => {
  const { events, submit } = openQueue(60_000)
  submit('begin 1', 'begin', 1)
  submit('write 1', 'query', 1)
  submit('append', 'append')
  submit('query 1', 'query', 1)
  submit('begin 2', 'begin', 2)
  submit('query', 'query')
  expect(events).toEqual(['begin 1', 'write 1', 'query 1'])
  submit('commit 1', 'commit', 1)
  expect(events.slice(3)).toEqual(['commit 1', 'append', 'begin 2'])
  submit('query 2', 'query', 2)
  submit('commit 2', 'commit', 2)
  expect(events.slice(6)).toEqual(['query 2', 'commit 2', 'query'])
})

test('a transaction that has only read makes other statements wait, and no edit', () => {
  const { events, submit } = openQueue(60_000)
  submit('begin 1', 'begin', 1)
  submit('query 1', 'query', 1)
  submit('query', 'query')
  submit('begin 2', 'begin', 2)
  submit('append', 'append')
  submit('compact', 'compact')
  expect(events).toEqual(['begin 1', 'query 1', 'append', 'compact'])
  submit('write 1', 'query', 1)
  submit('late append', 'append')
  submit('close', 'close')
  expect(events.slice(4)).toEqual(['write 1'])
  submit('commit 1', 'commit', 1)
  expect(events.slice(5)).toEqual(['commit 1', 'query', 'begin 2', 'late append'])
  submit('commit 2', 'commit', 2)
  expect(events.slice(9)).toEqual(['commit 2', 'close'])
})

test('a transaction whose client is idle is rolled back; the others run, its later statements are refused', async () => {
  const { events, submit } = openQueue(20)
  submit('begin 1', 'begin', 1)
  submit('write 1', 'query', 1)
  submit('append', 'append')
  await vi.waitUntil(() => events.includes('append'))
  submit('query 1', 'query', 1)
  submit('commit 1', 'commit', 1)
  expect(events).toEqual([
    'begin 1',
    'write 1',
    'rolled back',
    'append',
    'query 1 refused',
    'commit 1 refused',
  ])
})

test('a statement of an ended transaction does not affect the open one', () => {
  const { events, submit } = openQueue(60_000)
  submit('begin 2', 'begin', 2)
  submit('write 2', 'query', 2)
  submit('query 1', 'query', 1)
  submit('append', 'append')
  submit('commit 2', 'commit', 2)
  expect(events).toEqual(['begin 2', 'write 2', 'query 1 refused', 'commit 2', 'append'])
})
