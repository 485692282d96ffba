/**
 * Makes a `Fanout` of a medium that can be connected to: keeps the subscriptions, sends what one turn of the event loop publishes in
 * one batch, and connects again. It does not know which medium it is.
 *
 *     disconnected ── opened, all topics subscribed ──► connected
 *          ▲                                                │
 *          └──────── lost, or without an answer ◄───────────┘
 *
 * Where a message could not be sent (`OutgoingMessages`), the other nodes are told which topics have gaps, and call `onInterrupted`.
 */
import type { Logger } from 'pino'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { withTimeout } from '../timeouts.ts'
import { EnvelopeCodec } from './envelope.ts'
import { FanoutCounts } from './fanout-counts.ts'
import type { Fanout, FanoutListener, FanoutStatus, FanoutSubscription } from './fanout.ts'
import type { FanoutConnection, FanoutMedium, OutgoingMessage } from './fanout-medium.ts'
import { startLivenessCheck } from './liveness-check.ts'
import { OutgoingMessages } from './outgoing-messages.ts'

export interface FanoutOptions {
  /** The name of this node: letters and digits. */
  readonly node: string
  /** What the nodes share, by which each proves its messages; undefined within one process. */
  readonly secret?: Buffer | undefined
  readonly log?: Logger | undefined
  readonly clock?: Clock | undefined
  readonly counts?: FanoutCounts | undefined
  /** The limit of the bytes that the medium has not taken yet. Past it messages are dropped. */
  readonly maxWaitingBytes?: number | undefined
}

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
const CLOSE_MS = 900

interface Subscriber {
  readonly listener: FanoutListener
  readonly ready: PromiseWithResolvers<void>
  isReady: boolean
}

interface Topic {
  readonly subscribers: Set<Subscriber>
  /** By the connection of now. */
  isConfirmed: boolean
}

interface OpenConnection {
  readonly connection: FanoutConnection
  /** The topics that it was asked for, each with the promise of its confirmation. */
  readonly subscribed: Map<string, Promise<void>>
}

export class ReconnectingFanout implements Fanout {
  readonly #medium: FanoutMedium
  readonly #node: string
  readonly #envelopes: EnvelopeCodec
  readonly #log: Logger | undefined
  readonly #clock: Clock
  readonly #counts: FanoutCounts
  readonly #outgoing: OutgoingMessages
  readonly #topics = new Map<string, Topic>()
  readonly #changedTopics = new Set<string>()
  readonly #statusListeners = new Set<(status: FanoutStatus) => void>()
  readonly #sending = new Set<Promise<void>>()
  /** Null unless connected. */
  #open: OpenConnection | null = null
  #isFlushDue = false
  #isClosed = false
  #cancelTimer = (): void => {}

  constructor(medium: FanoutMedium, options: FanoutOptions) {
    this.#medium = medium
    this.#node = options.node
    this.#envelopes = new EnvelopeCodec(options.secret)
    this.#log = options.log
    this.#clock = options.clock ?? realClock
    this.#counts = options.counts ?? new FanoutCounts()
    this.#outgoing = new OutgoingMessages({
      node: options.node,
      envelopes: this.#envelopes,
      counts: this.#counts,
      maxBytes: options.maxWaitingBytes,
    })
  }

  get status(): FanoutStatus {
    return this.#open ? 'connected' : 'disconnected'
  }

  /** Makes one attempt. Once connected, it connects again by itself. */
  connect(): Promise<void> {
    let open: OpenConnection | undefined
    const attach = (connection: FanoutConnection): Promise<void> =>
      this.#attach((open = { connection, subscribed: new Map() }))
    const opening = this.#medium.open({
      onMessage: (topic, envelope) => this.#receive(topic, envelope),
      onLost: (error) => open && this.#onLost(open, error),
    })
    return opening instanceof Promise ? opening.then(attach) : attach(opening)
  }

  publish(topic: string, message: Uint8Array, brief?: Uint8Array): void {
    if (this.#isClosed) return
    const payload = [message, brief].find((each) => each && this.#medium.canCarry(topic, each))
    if (this.#open && payload && this.#outgoing.hasRoomFor(payload)) this.#outgoing.add(topic, payload)
    else this.#outgoing.drop(topic)
    this.#scheduleFlush()
  }

  subscribe(name: string, listener: FanoutListener): FanoutSubscription {
    const subscriber: Subscriber = { listener, ready: Promise.withResolvers(), isReady: false }
    if (this.#isClosed) return { ready: subscriber.ready.promise, end: () => {} }
    const topic = this.#topics.get(name) ?? this.#addTopic(name)
    topic.subscribers.add(subscriber)
    if (topic.isConfirmed) confirm(subscriber)
    return {
      ready: subscriber.ready.promise,
      end: () => {
        topic.subscribers.delete(subscriber)
        if (topic.subscribers.size === 0 && this.#topics.get(name) === topic) this.#removeTopic(name)
      },
    }
  }

  onStatus(listener: (status: FanoutStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => void this.#statusListeners.delete(listener)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#flush()
    this.#isClosed = true
    this.#cancelTimer()
    this.#topics.clear()
    const open = this.#open
    if (open === null) return
    const sayGoodbye = () => Promise.allSettled(this.#sending).then(() => open.connection.end())
    await withTimeout(CLOSE_MS, sayGoodbye(), () => open.connection.destroy()).catch(() => {})
    this.#open = null
    this.#tellStatus()
  }

  #addTopic(name: string): Topic {
    const topic: Topic = { subscribers: new Set(), isConfirmed: false }
    this.#topics.set(name, topic)
    this.#changedTopics.add(name)
    this.#scheduleFlush()
    return topic
  }

  #removeTopic(name: string): void {
    this.#topics.delete(name)
    this.#changedTopics.add(name)
    this.#scheduleFlush()
  }

  /** Subscribes on a new connection what is subscribed already, and takes it into use. */
  #attach(open: OpenConnection): Promise<void> {
    this.#changedTopics.clear()
    const names = [...this.#topics.keys()]
    if (names.length === 0) return Promise.resolve(this.#onConnected(open))
    return this.#askFor(names, open).then(
      () => this.#onConnected(open),
      (error: unknown) => {
        open.connection.destroy()
        throw error
      },
    )
  }

  #onConnected(open: OpenConnection): void {
    const { connection, subscribed } = open
    if (this.#isClosed) return connection.destroy()
    this.#open = open
    if (connection.checkAlive)
      this.#cancelTimer = startLivenessCheck(
        this.#clock,
        () => connection.checkAlive!(),
        (error) => this.#onLost(open, error),
      )
    this.#tellStatus()
    for (const name of subscribed.keys()) this.#confirm(name)
    this.#scheduleFlush()
  }

  #onLost(open: OpenConnection, error: Error): void {
    if (this.#open !== open || this.#isClosed) return
    this.#open = null
    this.#cancelTimer()
    open.connection.destroy()
    for (const topic of this.#topics.values()) topic.isConfirmed = false
    this.#outgoing.dropQueue()
    this.#log?.warn({ err: error, medium: this.#medium.name }, 'messages between nodes are interrupted')
    this.#tellStatus()
    this.#retry(0)
  }

  #retry(attempt: number): void {
    if (this.#isClosed) return
    const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt)
    this.#cancelTimer = this.#clock.after(this.#clock.random() * longest, () => {
      this.connect().then(
        () => this.#log?.info({ medium: this.#medium.name }, 'messages between nodes go on'),
        () => this.#retry(attempt + 1),
      )
    })
  }

  #askFor(names: readonly string[], { connection, subscribed }: OpenConnection): Promise<void> {
    const confirmed = connection.subscribe(names)
    for (const name of names) subscribed.set(name, confirmed)
    return confirmed
  }

  #confirm(name: string): void {
    const topic = this.#topics.get(name)
    if (!topic || topic.isConfirmed) return
    topic.isConfirmed = true
    for (const subscriber of topic.subscribers)
      if (subscriber.isReady) this.#call(() => subscriber.listener.onInterrupted())
      else confirm(subscriber)
  }

  #scheduleFlush(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => {
      this.#isFlushDue = false
      if (!this.#isClosed) this.#flush()
    })
  }

  #flush(): void {
    if (!this.#open) return
    this.#updateSubscriptions(this.#open)
    const messages = this.#outgoing.take()
    if (messages.length > 0) this.#send(this.#open, messages)
  }

  #updateSubscriptions(open: OpenConnection): void {
    const { connection, subscribed } = open
    const onFailed = (error: Error): void => this.#onLost(open, error)
    const changed = [...this.#changedTopics]
    this.#changedTopics.clear()
    const added = changed.filter((name) => this.#topics.has(name) && !subscribed.has(name))
    const removed = changed.filter((name) => !this.#topics.has(name) && subscribed.delete(name))
    if (removed.length > 0) connection.unsubscribe(removed).catch(onFailed)
    if (added.length > 0) this.#askFor(added, open).catch(onFailed)
    for (const name of changed)
      subscribed.get(name)?.then(
        () => this.#open === open && this.#confirm(name),
        () => {},
      )
  }

  #send({ connection }: OpenConnection, messages: readonly OutgoingMessage[]): void {
    const sent: Promise<void> = connection
      .publish(messages)
      .catch(() => this.#outgoing.onNotSent(messages))
      .finally(() => {
        this.#sending.delete(sent)
        this.#outgoing.onSettled(messages)
        if (this.#outgoing.hasGaps) this.#scheduleFlush()
      })
    this.#sending.add(sent)
  }

  #receive(name: string, bytes: Buffer): void {
    const topic = this.#topics.get(name)
    const envelope = topic && this.#envelopes.read(name, bytes)
    if (!envelope || envelope.node === this.#node) return
    if (envelope.kind === 'message') this.#counts.received += 1
    for (const { listener, isReady } of topic.subscribers)
      this.#call(() => {
        if (envelope.kind === 'message') listener.onMessage(envelope.payload)
        else if (isReady) listener.onInterrupted()
      })
  }

  #tellStatus(): void {
    const { status } = this
    for (const listener of this.#statusListeners) this.#call(() => listener(status))
  }

  /** A listener that throws does not keep the others from their message. */
  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#log?.error({ err: error }, 'a listener of messages between nodes failed')
    }
  }
}

function confirm(subscriber: Subscriber): void {
  subscriber.isReady = true
  subscriber.ready.resolve()
}
