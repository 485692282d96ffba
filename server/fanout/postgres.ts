/**
 * Messages between nodes by PostgreSQL's NOTIFY, on a connection of its own. All topics share one channel: a backend looks through
 * the list of its channels for every notification, and each node hears all of them anyway.
 */
import {
  type ConnectionOptions,
  destroyConnection,
  endConnection,
  openConnection,
  withoutSecrets,
} from '../store/postgres/connections.ts'
import { envelopeBytes } from './envelope.ts'
import type { Fanout } from './fanout.ts'
import type { ConnectionEvents, FanoutConnection, FanoutMedium, OutgoingMessage } from './fanout-medium.ts'
import { type FanoutOptions, ReconnectingFanout } from './reconnecting-fanout.ts'

export interface PostgresFanoutOptions extends FanoutOptions {
  /** `postgres://…` It is never logged. */
  readonly url: string
  readonly secret: Buffer
}

const CHANNEL = 'diptych'
/** PostgreSQL's own limit. */
const MAX_PAYLOAD_BYTES = 7_999
/** The number, which has at most five digits, and two spaces. */
const PAYLOAD_HEAD_BYTES = 7

/** @throws {Error} when it cannot be reached: one sentence without secrets. */
export async function openPostgresFanout({ url, ...options }: PostgresFanoutOptions): Promise<Fanout> {
  const fanout = new ReconnectingFanout(createMedium({ url, log: options.log }, options.node), options)
  try {
    await fanout.connect()
    return fanout
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`Messages between nodes cannot pass through ${withoutSecrets(url)}: ${reason}.`, {
      cause: error,
    })
  }
}

const createMedium = (connectionOptions: ConnectionOptions, node: string): FanoutMedium => ({
  name: 'postgres',
  canCarry: (topic, message) =>
    PAYLOAD_HEAD_BYTES + Buffer.byteLength(topic) + base64Length(envelopeBytes(node, message)) <=
    MAX_PAYLOAD_BYTES,
  open: (events) => openNotifyConnection(connectionOptions, events),
})

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)

async function openNotifyConnection(
  connectionOptions: ConnectionOptions,
  { onMessage, onLost }: ConnectionEvents,
): Promise<FanoutConnection> {
  let isOver = false
  const client = await openConnection(connectionOptions, (error) => {
    if (!isOver) onLost(error)
  })
  const ownProcess = (client as unknown as { processID: number }).processID
  client.on('notification', ({ processId, payload }) => {
    if (processId !== ownProcess && payload) receivePayload(payload, onMessage)
  })
  const destroy = (): void => {
    isOver = true
    destroyConnection(client)
  }
  const send = createSender((payloads) =>
    client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]),
  )
  try {
    await client.query(`listen ${CHANNEL}`)
  } catch (error) {
    destroy()
    throw error
  }
  return {
    async subscribe() {},
    async unsubscribe() {},
    publish: send,
    async checkAlive() {
      await client.query('select 1')
    },
    async end() {
      isOver = true
      await endConnection(client)
    },
    destroy,
  }
}

/** Sends one statement at a time; what is published meanwhile goes into the next. */
function createSender(
  notify: (payloads: string[]) => Promise<unknown>,
): (messages: readonly OutgoingMessage[]) => Promise<void> {
  let waiting: OutgoingMessage[] = []
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<unknown> | null = null
  const sendWaiting = (): Promise<unknown> => {
    const payloads = waiting.map(writePayload)
    waiting = []
    next = null
    return (current = notify(payloads))
  }
  return async (messages) => {
    waiting.push(...messages)
    next ??= current.then(sendWaiting, sendWaiting)
    await next
  }
}

/** The number makes each payload of a statement another: of equal ones PostgreSQL sends one. */
const writePayload = ({ topic, envelope }: OutgoingMessage, number: number): string =>
  `${number % 100_000} ${envelope.toString('base64')} ${topic}`

function receivePayload(payload: string, onMessage: ConnectionEvents['onMessage']): void {
  const [, envelope, topic] = /^\d+ ([^ ]*) (.*)$/s.exec(payload) ?? []
  if (envelope !== undefined && topic !== undefined) onMessage(topic, Buffer.from(envelope, 'base64'))
}
