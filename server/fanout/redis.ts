/**
 * Messages between nodes by Redis or Valkey: publish and subscribe, each on a connection of its own. Nothing is stored there, so a
 * Redis whose memory is full for keys serves as well as an empty one.
 */
import { createClient } from '@redis/client'
import { withTimeout } from '../timeouts.ts'
import type { Fanout } from './fanout.ts'
import type { ConnectionEvents, FanoutConnection, FanoutMedium } from './fanout-medium.ts'
import { type FanoutOptions, ReconnectingFanout } from './reconnecting-fanout.ts'

export interface RedisFanoutOptions extends FanoutOptions {
  /** `redis://…` or, with TLS, `rediss://…`. It is never logged. */
  readonly url: string
  readonly secret: Buffer
  /** Begins every topic's name in Redis, so that services which share a Redis do not hear each other. */
  readonly prefix: string
}

const OPEN_LIMIT_MS = 3_000
/** A command that names more topics than this would keep others waiting. */
const MAX_TOPICS_A_COMMAND = 1_000

/** @throws {Error} when it cannot be reached, or does not serve: one sentence without secrets. */
export async function openRedisFanout({ url, prefix, ...options }: RedisFanoutOptions): Promise<Fanout> {
  const fanout = new ReconnectingFanout(createMedium(url, prefix), options)
  try {
    await fanout.connect()
    return fanout
  } catch (error) {
    throw new Error(`Redis at ${addressOf(url)} cannot be used: ${reasonOf(error as Error)}.`, {
      cause: error,
    })
  }
}

const createMedium = (url: string, prefix: string): FanoutMedium => ({
  name: 'redis',
  canCarry: () => true,
  open: (events) => openConnection(url, prefix, events),
})

async function openConnection(
  url: string,
  prefix: string,
  { onMessage, onLost }: ConnectionEvents,
): Promise<FanoutConnection> {
  let isOver = false
  const [publisher, subscriber] = [createRedisClient(url), createRedisClient(url)]
  const clients = [publisher, subscriber]
  const destroy = (): void => {
    isOver = true
    for (const client of clients) client.destroy()
  }
  for (const client of clients)
    client.on('error', (error: Error) => {
      if (!isOver) onLost(error)
    })
  const onRedisMessage = (message: Buffer, channel: Buffer): void =>
    onMessage(channel.toString().slice(prefix.length), message)
  const inPieces = (topics: readonly string[], run: (channels: string[]) => Promise<unknown>) =>
    Promise.all(piecesOf(topics.map((topic) => prefix + topic)).map(run)).then(() => {})

  try {
    const opening = Promise.all(clients.map((client) => client.connect())).then(() => checkRole(publisher))
    await withTimeout(OPEN_LIMIT_MS, opening, () => {
      throw new Error(`it has not answered for ${OPEN_LIMIT_MS / 1000} s`)
    })
  } catch (error) {
    destroy()
    throw error
  }
  return {
    subscribe: (topics) =>
      inPieces(topics, (channels) => subscriber.subscribe(channels, onRedisMessage, true)),
    unsubscribe: (topics) => inPieces(topics, (channels) => subscriber.unsubscribe(channels)),
    publish: (messages) =>
      Promise.all(messages.map(({ topic, envelope }) => publisher.publish(prefix + topic, envelope))).then(
        () => {},
      ),
    async checkAlive() {
      await Promise.all([checkRole(publisher), subscriber.ping()])
    },
    async end() {
      isOver = true
      await Promise.all(clients.map((client) => client.close()))
    },
    destroy,
  }
}

type RedisClient = ReturnType<typeof createRedisClient>

const createRedisClient = (url: string) =>
  createClient({
    url,
    name: 'diptych',
    // It would go on with what it has queued, which is too old by then.
    socket: { reconnectStrategy: false, connectTimeout: OPEN_LIMIT_MS },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
  })

/** What is published at a replica reaches neither its primary nor the other replicas. */
async function checkRole(client: RedisClient): Promise<void> {
  const answer = await client.role()
  if (answer?.role !== 'master')
    throw new Error('it is a read-only replica or a sentinel, which passes no messages on')
}

const piecesOf = (channels: string[]): string[][] =>
  Array.from({ length: Math.ceil(channels.length / MAX_TOPICS_A_COMMAND) }, (_, n) =>
    channels.slice(n * MAX_TOPICS_A_COMMAND, (n + 1) * MAX_TOPICS_A_COMMAND),
  )

const addressOf = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A host with several addresses fails once for each, under an error without words. */
const reasonOf = (error: Error): string =>
  (error instanceof AggregateError ? (error.errors[0] as Error) : error).message.replace(/\.$/, '')
