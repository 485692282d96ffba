import { expect, test } from 'vitest'
import { Subscribable } from './subscribable.ts'

test('the first listener sets up, the last tears down, and each is notified until it unsubscribes', () => {
  const calls: string[] = []
  const log = (call: string) => () => void calls.push(call)
  const source = new Subscribable(log('set up'), log('torn down'))
  const stopOne = source.subscribe(log('one'))
  const stopTwo = source.subscribe(log('two'))
  source.notify()
  stopOne()
  stopOne()
  source.notify()
  expect([calls.splice(0), source.hasListeners]).toEqual([['set up', 'one', 'two', 'two'], true])
  stopTwo()
  source.subscribe(log('three'))()
  expect([calls, source.hasListeners]).toEqual([['torn down', 'set up', 'torn down'], false])
})
