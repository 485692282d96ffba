import { expect, test } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { bytesOf, createListener, describeFanout, listenTo } from './fanout.contract.ts'
import { createLocalHub } from './local.ts'

describeFanout(
  'within one process',
  async () => {
    const hub = createLocalHub()
    return {
      join: async (node) => hub.join(node),
      async cut(node) {
        hub.cut(node)
        hub.heal(node)
      },
      async [Symbol.asyncDispose]() {},
    }
  },
  { largestMessage: 2 ** 20 },
)

test('a hub drops, repeats and delays messages as a test wants it', async () => {
  const hub = createLocalHub()
  const [ada, bob] = [hub.join('ada'), hub.join('bob')]
  const listener = await listenTo(bob, 't')
  hub.setFaults({ drop: () => true })
  ada.publish('t', bytesOf('dropped'))
  await settle(2)
  hub.setFaults({ repeat: () => true })
  ada.publish('t', bytesOf('twice'))
  await settle(2)
  hub.setFaults({ delayMs: 1 })
  ada.publish('t', bytesOf('later'))
  await waitUntil(() => listener.messages.length === 3)
  let count = 0
  hub.setFaults({ reorder: () => count++ === 0 })
  ada.publish('t', bytesOf('first'))
  ada.publish('t', bytesOf('second'))
  await waitUntil(() => listener.messages.length === 5)
  expect(listener.messages).toEqual(['twice', 'twice', 'later', 'second', 'first'])
  await Promise.all([ada.close(), bob.close()])
})

test('is connected at once', () => {
  const fanout = createLocalHub().join('ada')
  expect(fanout.status).toBe('connected')
  void fanout.close()
})

test('a node that is cut off hears nothing until it is healed', async () => {
  const hub = createLocalHub()
  const [ada, bob] = [hub.join('ada'), hub.join('bob')]
  const listener = await listenTo(bob, 't')
  hub.cut('bob')
  expect(bob.status).toBe('disconnected')
  ada.publish('t', bytesOf('unheard'))
  const waiting = createListener()
  const { ready } = bob.subscribe('t', waiting)
  let isReady = false
  void ready.then(() => (isReady = true))
  await settle(3)
  expect([listener.interruptions, isReady]).toEqual([0, false])
  hub.heal('bob')
  await ready
  expect([listener.interruptions, waiting.interruptions]).toEqual([1, 0])
  expect(listener.messages).toEqual([])
  await Promise.all([ada.close(), bob.close()])
})
