/** What every medium between nodes must do. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import type { FanoutCounts } from './fanout-counts.ts'
import {
  type Fanout,
  type FanoutListener,
  type FanoutStatus,
  type FanoutSubscription,
  SMALL_MESSAGE_BYTES,
} from './fanout.ts'

export interface FanoutFixture extends AsyncDisposable {
  join(node: string, counts?: FanoutCounts): Promise<Fanout>
  /** Ends the connections of a node, which connects again by itself. */
  cut(node: string): Promise<void>
}

export interface FanoutAbilities {
  readonly largestMessage: number
  /** Whether a switch between media interrupts every topic, too. */
  readonly hasSwitch?: boolean
}

export interface HeardMessages extends FanoutListener {
  readonly messages: string[]
  readonly bytes: Uint8Array[]
  interruptions: number
}

export const createListener = (): HeardMessages => ({
  messages: [],
  bytes: [],
  interruptions: 0,
  onMessage(message) {
    this.bytes.push(message)
    this.messages.push(textOf(message))
  },
  onInterrupted() {
    this.interruptions += 1
  },
})

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Subscribes, and waits until it is heard. */
export async function listenTo(fanout: Fanout, topic: string): Promise<HeardMessages> {
  const listener = createListener()
  await fanout.subscribe(topic, listener).ready
  return listener
}

export function describeFanout(
  title: string,
  createFixture: () => Promise<FanoutFixture>,
  { largestMessage, hasSwitch = false }: FanoutAbilities,
): void {
  describe(`fan-out: ${title}`, () => {
    let fixture: FanoutFixture
    let [ada, bob]: Fanout[] = []
    beforeEach(async () => {
      fixture = await createFixture()
      ada = await fixture.join('ada')
      bob = await fixture.join('bob')
    })
    afterEach(async () => {
      await Promise.all([ada!.close(), bob!.close()])
      await fixture[Symbol.asyncDispose]()
    })

    test('delivers in order, to each subscriber of the topic and to nobody else', async () => {
      const [one, two, other] = await Promise.all(
        ['t', 't', 'another topic'].map((topic) => listenTo(bob!, topic)),
      )
      const texts = Array.from({ length: 200 }, (_, n) => `${n}`)
      for (const text of texts) {
        ada!.publish('t', bytesOf(text))
        if (Number(text) % 50 === 0) await settle()
      }
      await waitUntil(() => one!.messages.length >= 200 && two!.messages.length >= 200)
      expect(one!.messages).toEqual(texts)
      expect(two!.messages).toEqual(texts)
      expect(other!.messages).toEqual([])
    })

    test('equal messages of one turn are all delivered', async () => {
      const listener = await listenTo(bob!, 't')
      for (let n = 0; n < 3; n++) ada!.publish('t', bytesOf('same'))
      await waitUntil(() => listener.messages.length >= 3)
      expect(listener.messages).toEqual(['same', 'same', 'same'])
    })

    test('a node does not hear its own messages', async () => {
      const [own, others] = [await listenTo(ada!, 't'), await listenTo(bob!, 't')]
      ada!.publish('t', bytesOf('mine'))
      await waitUntil(() => others.messages.length === 1)
      bob!.publish('t', bytesOf('of bob'))
      await waitUntil(() => own.messages.length === 1)
      expect(own.messages).toEqual(['of bob'])
    })

    test.each([0, 1, 256, SMALL_MESSAGE_BYTES, largestMessage])(
      '%i bytes arrive as they were',
      async (length) => {
        const listener = await listenTo(bob!, 't')
        const message = Uint8Array.from({ length }, (_, n) => n)
        ada!.publish('t', message)
        await waitUntil(() => listener.bytes.length === 1)
        expect(Buffer.compare(listener.bytes[0]!, message)).toBe(0)
      },
    )

    test('a topic’s name may have any characters', async () => {
      const topics = ['document/8 body', 'ä 文', 'a', 'A', "'; --", '*', 'x'.repeat(300)]
      const listeners = await Promise.all(topics.map((topic) => listenTo(bob!, topic)))
      for (const topic of topics) ada!.publish(topic, bytesOf(topic))
      await waitUntil(() => listeners.every(({ messages }) => messages.length === 1))
      expect(listeners.map(({ messages }) => messages[0])).toEqual(topics)
    })

    test('thousands of topics are subscribed, served and ended', async () => {
      const topics = Array.from({ length: 3_000 }, (_, n) => `t${n}`)
      const listener = createListener()
      const subscriptions = topics.map((topic) => bob!.subscribe(topic, listener))
      await Promise.all(subscriptions.map(({ ready }) => ready))
      for (const topic of topics) ada!.publish(topic, bytesOf(topic))
      await waitUntil(() => listener.messages.length === topics.length)
      for (const subscription of subscriptions) subscription.end()
      const last = await listenTo(bob!, 'last')
      for (const topic of topics) ada!.publish(topic, bytesOf(topic))
      ada!.publish('last', bytesOf('end'))
      await waitUntil(() => last.messages.length === 1)
      expect(listener.messages).toHaveLength(topics.length)
    })

    test('an ended subscription hears no more, also when the topic is subscribed again at once', async () => {
      const ended = createListener()
      const subscription = bob!.subscribe('t', ended)
      await subscription.ready
      subscription.end()
      subscription.end()
      const listener = await listenTo(bob!, 't')
      ada!.publish('t', bytesOf('later'))
      await waitUntil(() => listener.messages.length === 1)
      expect(ended.messages).toEqual([])
    })

    test('a listener that throws keeps no other from its message', async () => {
      await bob!.subscribe('t', {
        onMessage() {
          throw new Error('a fault of a listener')
        },
        onInterrupted() {
          throw new Error('a fault of a listener')
        },
      }).ready
      const listener = await listenTo(bob!, 't')
      ada!.publish('t', bytesOf('one'))
      ada!.publish('t', bytesOf('two'))
      await waitUntil(() => listener.messages.length === 2)
    })

    test('after a cut each subscriber is told that it may have missed something, and hears again', async () => {
      const listeners = await Promise.all(['s', 't', 't'].map((topic) => listenTo(bob!, topic)))
      const statuses: FanoutStatus[] = []
      const late = createListener()
      let lateSubscription: FanoutSubscription | undefined
      bob!.onStatus((status) => {
        statuses.push(status)
        lateSubscription ??= bob!.subscribe('u', late)
      })
      await fixture.cut('bob')
      // Of two media each is interrupted, and carries the message.
      await waitUntil(() => listeners.every(({ interruptions }) => interruptions > 0))
      await waitUntil(() => statuses.at(-1) === 'connected')
      await lateSubscription!.ready
      for (const topic of ['s', 't', 'u']) ada!.publish(topic, bytesOf('after'))
      await waitUntil(() => [...listeners, late].every(({ messages }) => messages.length > 0))
      expect(new Set([...listeners, late].flatMap(({ messages }) => messages))).toEqual(new Set(['after']))
      // One of two media may be back before the other.
      expect(statuses.filter((status) => status !== 'degraded')).toEqual(['disconnected', 'connected'])
      if (hasSwitch) return
      expect(listeners.map(({ interruptions }) => interruptions)).toEqual([1, 1, 1])
      expect([late.interruptions, late.messages.length, statuses.length]).toEqual([0, 1, 2])
    })

    test('what a node publishes while it is cut off is lost, and the others are told in which topics', async () => {
      const [lost, other] = [await listenTo(bob!, 'lost'), await listenTo(bob!, 'other')]
      ada!.onStatus((status) => {
        if (status === 'disconnected') ada!.publish('lost', bytesOf('lost'))
      })
      await fixture.cut('ada')
      await waitUntil(() => lost.interruptions > 0)
      ada!.publish('lost', bytesOf('next'))
      await waitUntil(() => lost.messages.length === 1)
      expect(lost.messages).toEqual(['next'])
      if (!hasSwitch) expect([lost.interruptions, other.interruptions]).toEqual([1, 0])
    })

    test('close sends what was published before it, and ends every subscription', async () => {
      const listener = await listenTo(bob!, 't')
      const own = await listenTo(ada!, 't')
      for (let n = 0; n < 100; n++) ada!.publish('t', bytesOf(`${n}`))
      await ada!.close()
      await waitUntil(() => listener.messages.length === 100)
      expect(ada!.status).toBe('disconnected')
      bob!.publish('t', bytesOf('to nobody'))
      ada!.publish('t', bytesOf('too late'))
      await settle(5)
      expect([own.messages, listener.messages.length]).toEqual([[], 100])
      await ada!.close()
    })
  })
}
