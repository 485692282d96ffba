/**
 * Has limits hold for a principal or an address on all nodes together (A6). Each node takes from its own buckets at once, and tells the
 * others what it took, who take it from theirs: nobody waits for an answer, and where no message arrives, each node's limits hold by
 * themselves. So a caller that turns to n nodes within PUBLISH_MS gets n times as much at most, once.
 */
import type { LimitSharing } from '../access/access-rate-limits.ts'
import type { Fanout } from '../fanout/fanout.ts'
import { readVersionedMessage, writeVersionedMessage } from '../fanout/versioned-message.ts'
import type { RateLimits } from '../rate-limit.ts'
import {
  type Decoder,
  type Encoder,
  hasMoreBytes,
  readNumber,
  readString,
  writeNumber,
  writeString,
} from '../../lib/protocol/wire.ts'
import type { PrincipalCount } from '../sessions/principal-count.ts'
import { startTimeout } from '../timeouts.ts'
import type { Nodes } from './nodes.ts'

const TOPIC = 'limits'
const VERSION = 1
const PUBLISH_MS = 100
/** So many keys are sent at once, before their time. */
const MAX_PENDING = 5_000
/** So many keys fit into one message of every medium. */
const MAX_IN_MESSAGE = 60
/** A node that has just started learns of the counts by then. */
const REPEAT_MS = 10_000

interface TakenCost {
  readonly name: string
  readonly key: string
  /** Negative for a refund. */
  cost: number
}

interface LimitsMessage {
  readonly counts: readonly (readonly [key: string, count: number])[]
  readonly costs: readonly TakenCost[]
}

export class SharedLimits {
  readonly #fanout: Fanout
  readonly #node: string
  readonly #limits = new Map<string, RateLimits>()
  readonly #pendingCosts = new Map<string, TakenCost>()
  readonly #pendingCounts = new Map<string, number>()
  readonly #counts = new Map<string, PrincipalCount>()
  #cancelPublish: (() => void) | null = null
  readonly #repeating: NodeJS.Timeout
  readonly #end: () => void

  constructor(fanout: Fanout, nodes: Pick<Nodes, 'self' | 'onGone'>) {
    this.#fanout = fanout
    this.#node = nodes.self
    const subscription = fanout.subscribe(TOPIC, {
      onMessage: (message) => this.#receive(message),
      onInterrupted: () => this.#repeatCounts(),
    })
    const unsubscribe = nodes.onGone((node) => {
      for (const count of this.#counts.values()) count.forgetNode(node)
    })
    this.#repeating = setInterval(() => this.#repeatCounts(), REPEAT_MS).unref()
    this.#end = () => {
      subscription.end()
      unsubscribe()
    }
  }

  /** @param name The same on every node. */
  readonly share: LimitSharing = (name, limits) => {
    this.#limits.set(name, limits)
    limits.onTaken = (key, cost) => {
      const id = `${name} ${key}`
      const taken = this.#pendingCosts.get(id) ?? { name, key, cost: 0 }
      taken.cost += cost
      this.#pendingCosts.set(id, taken)
      if (this.#isFull || !limits.isSmall(taken.cost)) this.#schedule()
    }
    return limits
  }

  /** @param name The same on every node; '' for the links of principals, which former releases count alone. */
  shareCount(name: string, counts: PrincipalCount): void {
    this.#counts.set(name, counts)
    counts.onChanged = (id, count) => this.#onCountChanged(name, id, count)
  }

  close(): void {
    clearInterval(this.#repeating)
    this.#publish()
    this.#end()
  }

  #onCountChanged(name: string, id: string, count: number): void {
    const { many } = this.#counts.get(name)!
    const isBelow = count < many
    if (isBelow && count !== many - 1) return
    this.#pendingCounts.set(countKeyOf(name, id), isBelow ? 0 : count)
    this.#schedule()
  }

  #repeatCounts(): void {
    for (const [name, { counts, many }] of this.#counts)
      for (const [id, count] of counts) if (count >= many) this.#onCountChanged(name, id, count)
  }

  get #isFull(): boolean {
    return this.#pendingCosts.size + this.#pendingCounts.size >= MAX_PENDING
  }

  #schedule(): void {
    if (this.#isFull) this.#publish()
    else this.#cancelPublish ??= startTimeout(PUBLISH_MS, () => this.#publish())
  }

  #publish(): void {
    this.#cancelPublish?.()
    this.#cancelPublish = null
    const counts = [...this.#pendingCounts]
    const costs = this.#takeCosts()
    this.#pendingCounts.clear()
    while (counts.length + costs.length > 0) {
      const someCounts = counts.splice(0, MAX_IN_MESSAGE)
      const message = { counts: someCounts, costs: costs.splice(0, MAX_IN_MESSAGE - someCounts.length) }
      const bytes = writeVersionedMessage(VERSION, (encoder) => this.#write(encoder, message))
      this.#fanout.publish(TOPIC, bytes)
    }
  }

  /** A small cost waits until it has grown: else everybody who types would be in ten messages a second. */
  #takeCosts(): TakenCost[] {
    const isFull = this.#isFull
    const due = [...this.#pendingCosts].filter(
      ([, { name, cost }]) => isFull || !this.#limits.get(name)!.isSmall(cost),
    )
    for (const [id] of due) this.#pendingCosts.delete(id)
    return due.map(([, taken]) => taken)
  }

  #write(encoder: Encoder, { counts, costs }: LimitsMessage): void {
    writeString(encoder, this.#node)
    writeNumber(encoder, counts.length)
    for (const [key, count] of counts) {
      writeString(encoder, key)
      writeNumber(encoder, count)
    }
    for (const { name, key, cost } of costs) {
      writeString(encoder, name)
      writeString(encoder, key)
      writeNumber(encoder, cost < 0 ? 1 : 0)
      // Units of work have fractions.
      writeNumber(encoder, Math.round(Math.abs(cost) * 1_000))
    }
  }

  /** A message that cannot be read is one of another release, and counts for nothing. */
  #receive(message: Uint8Array): void {
    try {
      readVersionedMessage(VERSION, message, (decoder) => {
        const node = readString(decoder)
        for (let left = readNumber(decoder); left > 0; left--)
          this.#setRemoteCount(node, readString(decoder), readNumber(decoder))
        while (hasMoreBytes(decoder)) this.#receiveCost(decoder)
      })
    } catch {
      // It comes from a node, and nodes check what they send.
    }
  }

  #setRemoteCount(node: string, key: string, count: number): void {
    const [name, id] = readCountKey(key)
    this.#counts.get(name)?.setRemote(node, id, count)
  }

  #receiveCost(decoder: Decoder): void {
    const [name, key] = [readString(decoder), readString(decoder)]
    const sign = readNumber(decoder) === 1 ? -1 : 1
    this.#limits.get(name)?.chargeSilently(key, (sign * readNumber(decoder)) / 1_000)
  }
}

const countKeyOf = (name: string, id: string): string => (name === '' ? id : `${name} ${id}`)

/** There is no space in the id of a principal. */
function readCountKey(key: string): [name: string, id: string] {
  const space = key.lastIndexOf(' ')
  return [key.slice(0, Math.max(0, space)), key.slice(space + 1)]
}
