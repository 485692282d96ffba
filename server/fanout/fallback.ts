/**
 * Carries messages by Redis, and by PostgreSQL for whoever has lost Redis.
 *
 *     connected     Redis is there. Nothing is sent by NOTIFY, unless another node is known to need it.
 *     degraded      Redis is away and PostgreSQL is there: publishes by NOTIFY, and says so by NOTIFY, at once and every second.
 *     disconnected  neither is there.
 *
 * Every node always listens to both. It publishes by Redis whenever it has Redis, and by NOTIFY while it has lost Redis, or has heard
 * within 3 s that another node has. An era is a time in which a node published everything by NOTIFY without a break; its notices have
 * the era's number. Whoever hears of a new era, and either of the two nodes has lost Redis, takes that for an interruption: it may
 * have missed what the other published before. So of two nodes A and B:
 *
 * - Both have Redis: it carries everything, and PostgreSQL may be away.
 * - Neither has Redis: NOTIFY carries everything.
 * - A has lost Redis, B has it: A publishes by NOTIFY, which B hears. What A published last may be lost within Redis: B takes A's notice
 *   for an interruption. Once B has heard it, B publishes by both. What it published before that is missed by A: B's notice begins an
 *   era, which is an interruption for A.
 * - A has lost Redis, B has Redis but not PostgreSQL: B hears nothing of A, and could commit nothing either. Once B has PostgreSQL
 *   again, that is an interruption for B; B hears A's next notice, begins an era, and that is one for A.
 * - A has Redis again: the new subscriptions are an interruption for A, and A's notice says that it needs NOTIFY no more. If that
 *   notice is lost, B publishes by both for 3 s.
 * - A needs NOTIFY, and B's connection to PostgreSQL breaks: B begins another era when it is back.
 * - A third node that has both hears B twice. It passes over what came by NOTIFY and by Redis, too, while it has Redis; if its Redis was
 *   dead already, it is interrupted when it notices.
 */
import type { Logger } from 'pino'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { readCarrierNotice, writeCarrierNotice } from './carrier-notice.ts'
import type { Fanout, FanoutListener, FanoutStatus, FanoutSubscription } from './fanout.ts'

export interface FallbackFanoutOptions {
  /** The name of this node. */
  readonly node: string
  readonly redis: Fanout
  readonly postgres: Fanout
  readonly log?: Logger | undefined
  readonly clock?: Clock | undefined
}

const NOTICE_TOPIC = 'carrier notices'
const NOTICE_INTERVAL_MS = 1_000
const NOTICE_LIFE_MS = 3_000
/** Interruptions that follow one within this time are told as one more at its end. */
const INTERRUPTION_INTERVAL_MS = 100

/** The first byte of what is sent by NOTIFY: whether Redis carries it, too. */
const BY_NOTIFY_ALONE = 0
const BY_BOTH = 1

interface FallbackSubscriber {
  readonly listener: FanoutListener
  isReady: boolean
  /** Heard by NOTIFY, it is ready while Redis is away. */
  becomeReadyIfDegraded(): void
}

export class FallbackFanout implements Fanout {
  readonly #options: FallbackFanoutOptions
  readonly #redis: Fanout
  readonly #postgres: Fanout
  readonly #clock: Clock
  readonly #subscribers = new Set<FallbackSubscriber>()
  readonly #statusListeners = new Set<(status: FanoutStatus) => void>()
  /** The nodes that have lost Redis, each with the time until which its notice holds. */
  readonly #degradedNodes = new Map<string, number>()
  readonly #eras = new Map<string, number>()
  readonly #undo: (() => void)[]
  #era = 0
  #isNotifying = false
  #status: FanoutStatus = 'connected'
  #cancelNotices = (): void => {}
  /** Null when no interruption was told a moment ago. */
  #cancelInterruption: (() => void) | null = null
  #isInterruptionDue = false

  constructor(options: FallbackFanoutOptions) {
    this.#options = options
    this.#redis = options.redis
    this.#postgres = options.postgres
    this.#clock = options.clock ?? realClock
    const notices = this.#postgres.subscribe(NOTICE_TOPIC, {
      onMessage: (bytes) => this.#receiveNotice(bytes),
      // Some of this node's messages may be lost, too.
      onInterrupted: () => this.#isNotifying && this.#beginEra(),
    })
    this.#undo = [
      () => notices.end(),
      this.#redis.onStatus(() => this.#updateStatus()),
      this.#postgres.onStatus(() => this.#updateStatus()),
    ]
    this.#updateStatus()
    this.#repeatNotices()
  }

  get status(): FanoutStatus {
    return this.#status
  }

  publish(topic: string, message: Uint8Array, brief?: Uint8Array): void {
    const isByRedis = this.#redis.status === 'connected'
    const isByNotify = this.#isNotifying || !isByRedis
    // Without either, both remember that something is missing.
    if (isByRedis || this.#postgres.status === 'disconnected') this.#redis.publish(topic, message, brief)
    if (!isByNotify) return
    const mark = (bytes: Uint8Array): Uint8Array =>
      Buffer.concat([Uint8Array.of(isByRedis ? BY_BOTH : BY_NOTIFY_ALONE), bytes])
    this.#postgres.publish(topic, mark(message), brief && mark(brief))
  }

  subscribe(topic: string, listener: FanoutListener): FanoutSubscription {
    const ready = Promise.withResolvers<void>()
    let isHeardByNotify = false
    const becomeReady = (): void => {
      subscriber.isReady = true
      ready.resolve()
    }
    const subscriber: FallbackSubscriber = {
      listener,
      isReady: false,
      becomeReadyIfDegraded: () => {
        if (isHeardByNotify && this.#status === 'degraded') becomeReady()
      },
    }
    const onInterrupted = (): void => {
      if (subscriber.isReady) listener.onInterrupted()
    }
    const byRedis = this.#redis.subscribe(topic, {
      onMessage: (message) => listener.onMessage(message),
      onInterrupted,
    })
    const byNotify = this.#postgres.subscribe(topic, {
      onMessage: (marked) => {
        if (marked[0] === BY_BOTH && this.#redis.status === 'connected') return
        listener.onMessage(marked.subarray(1))
      },
      onInterrupted,
    })
    void byRedis.ready.then(() => {
      // What was published before Redis had the topic is heard neither by Redis nor, once that is connected, by NOTIFY.
      if (subscriber.isReady) this.#call(() => listener.onInterrupted())
      else becomeReady()
    })
    void byNotify.ready.then(() => {
      isHeardByNotify = true
      subscriber.becomeReadyIfDegraded()
    })
    this.#subscribers.add(subscriber)
    return {
      ready: ready.promise,
      end: () => {
        this.#subscribers.delete(subscriber)
        byRedis.end()
        byNotify.end()
      },
    }
  }

  onStatus(listener: (status: FanoutStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => void this.#statusListeners.delete(listener)
  }

  async close(): Promise<void> {
    for (const undo of this.#undo) undo()
    this.#cancelNotices()
    this.#cancelInterruption?.()
    this.#subscribers.clear()
    await Promise.all([this.#redis.close(), this.#postgres.close()])
    this.#setStatus('disconnected')
  }

  #updateStatus(): void {
    const next = this.#statusOfMedia()
    if (next === this.#status) return
    const wasDegraded = this.#status === 'degraded'
    this.#setStatus(next)
    if (next === 'degraded') {
      this.#options.log?.warn('Redis is away: messages between nodes pass through PostgreSQL')
      this.#isNotifying = true
      this.#beginEra()
      for (const subscriber of this.#subscribers) subscriber.becomeReadyIfDegraded()
      this.#interruptAll()
    } else {
      if (wasDegraded && next === 'connected') this.#sendNotice()
      this.#updateNotifying()
    }
  }

  #statusOfMedia(): FanoutStatus {
    if (this.#redis.status === 'connected') return 'connected'
    return this.#postgres.status === 'connected' ? 'degraded' : 'disconnected'
  }

  #setStatus(status: FanoutStatus): void {
    if (status === this.#status) return
    this.#status = status
    for (const listener of this.#statusListeners) this.#call(() => listener(status))
  }

  #updateNotifying(): void {
    const isNeeded = this.#status === 'degraded' || this.#degradedNodes.size > 0
    if (isNeeded === this.#isNotifying) return
    this.#isNotifying = isNeeded
    if (isNeeded) this.#beginEra()
  }

  #beginEra(): void {
    this.#era += 1
    this.#sendNotice()
  }

  #sendNotice(): void {
    if (this.#postgres.status !== 'connected') return
    const isDegraded = this.#status === 'degraded'
    const notice = { node: this.#options.node, era: this.#era, isDegraded }
    this.#postgres.publish(NOTICE_TOPIC, writeCarrierNotice(notice))
  }

  #repeatNotices(): void {
    this.#cancelNotices = this.#clock.after(NOTICE_INTERVAL_MS, () => {
      const now = this.#clock.now()
      for (const [node, until] of this.#degradedNodes) if (until <= now) this.#degradedNodes.delete(node)
      this.#updateNotifying()
      if (this.#isNotifying) this.#sendNotice()
      this.#repeatNotices()
    })
  }

  #receiveNotice(bytes: Uint8Array): void {
    const notice = readCarrierNotice(bytes)
    if (!notice) return
    const { node, era, isDegraded } = notice
    const isNewEra = this.#eras.get(node) !== era
    this.#eras.set(node, era)
    if (isDegraded) this.#degradedNodes.set(node, this.#clock.now() + NOTICE_LIFE_MS)
    else this.#degradedNodes.delete(node)
    this.#updateNotifying()
    if (isNewEra && (isDegraded || this.#status === 'degraded')) this.#interruptAll()
  }

  #interruptAll(): void {
    if (this.#cancelInterruption) {
      this.#isInterruptionDue = true
      return
    }
    this.#cancelInterruption = this.#clock.after(INTERRUPTION_INTERVAL_MS, () => {
      this.#cancelInterruption = null
      if (!this.#isInterruptionDue) return
      this.#isInterruptionDue = false
      this.#interruptAll()
    })
    for (const { listener, isReady } of this.#subscribers)
      if (isReady) this.#call(() => listener.onInterrupted())
  }

  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#options.log?.error({ err: error }, 'a listener of messages between nodes failed')
    }
  }
}
