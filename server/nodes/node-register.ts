/**
 * Knows the other nodes by what they say. Each says every second that it lives, and whoever hears it gives it a lease of 4 s, by the
 * own monotonic clock: clocks of two computers are never compared.
 *
 *                  hello, alive                 lease over, goodbye
 *     unknown ─────────────────────► alive ──────────────────────────► gone
 *                                    ▲                                  │
 *                                    └───────── hello, alive ───────────┘
 *
 * A node that was suspended for longer than its lease comes back that way: it has lost no message, and knows of nothing.
 *
 * Silence proves nothing while this node is deaf. While its fan-out is disconnected no lease runs out; once it is connected again,
 * whenever messages may have been missed, and after the process itself stood still, all leases begin anew. A medium that comes and
 * goes does not keep a dead node alive for ever: 12 s of silence, while some medium is connected, are enough in any case.
 */
import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import type { Fanout, FanoutStatus } from '../fanout/fanout.ts'
import { type NodeMessage, readNodeMessage, writeNodeMessage } from './node-messages.ts'
import type { Nodes, OtherNode } from './nodes.ts'

const TOPIC = 'nodes'
const HEARTBEAT_MS = 1_000
const LEASE_MS = 4_000
/** Others answer a hello at once. */
const ANSWERS_MS = 300
/** A subscription takes a round trip; while the medium is away it may take for ever. */
const MAX_READY_MS = 3_000
/** A lease that runs out is noticed after so long at most. */
const CHECK_MS = 250
/** A check that comes so late was not run: the process was suspended, or very busy. */
const STANDSTILL_MS = 1_000
/** No lease begins anew after so long a silence. */
const MAX_SILENCE_MS = 12_000

export interface NodeRegisterOptions {
  readonly fanout: Fanout
  readonly self: string
  /** The URL at which the other nodes reach this one; '' when it is not known. */
  readonly address: string
  /** See `NodeMessage`. */
  readonly authority?: string | undefined
  readonly log?: Logger | undefined
  readonly clock?: Clock | undefined
}

interface NodeEntry extends OtherNode {
  leaseEnd: number
  /** The last message, or the end of the time in which this node could hear none. */
  heardAt: number
}

/** Eight letters make two equal names as good as impossible, also over the years. */
export const createNodeName = (): string =>
  `n${Array.from({ length: 8 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`

export class NodeRegister implements Nodes {
  readonly self: string
  /** Resolves when the others have had time to answer the first hello. */
  readonly whenIntroduced: Promise<void>
  readonly #address: string
  readonly #authority: string
  readonly #fanout: Fanout
  readonly #log: Logger | undefined
  readonly #clock: Clock
  readonly #entries = new Map<string, NodeEntry>()
  readonly #joinedListeners = new Set<(name: string) => void>()
  readonly #goneListeners = new Set<(name: string) => void>()
  readonly #undo: (() => void)[]
  #isDeaf: boolean
  #cancelHeartbeat = (): void => {}
  #cancelCheck = (): void => {}
  #isClosed = false

  constructor({ fanout, self, address, authority = '', log, clock = realClock }: NodeRegisterOptions) {
    this.self = self
    this.#address = address
    this.#authority = authority
    this.#fanout = fanout
    this.#log = log
    this.#clock = clock
    this.#isDeaf = fanout.status === 'disconnected'
    const subscription = fanout.subscribe(TOPIC, {
      onMessage: (message) => this.#receive(message),
      onInterrupted: () => this.#onInterrupted(),
    })
    const stopStatus = fanout.onStatus((status) => this.#onStatus(status))
    this.#undo = [() => subscription.end(), stopStatus]
    const ready = subscription.ready.then(() => this.#say('hello'))
    // A node without messages serves as well, only alone: its start does not wait for ever.
    this.whenIntroduced = Promise.race([ready, this.#wait(MAX_READY_MS)]).then(() => this.#waitForAnswers())
    this.#sendHeartbeats()
    this.#checkLeases(clock.now())
  }

  get others(): readonly OtherNode[] {
    return [...this.#entries.values()].map(({ name, address }) => ({ name, address }))
  }

  find(name: string): OtherNode | null {
    const entry = this.#entries.get(name)
    return entry ? { name, address: entry.address } : null
  }

  onJoined(listener: (name: string) => void): () => void {
    this.#joinedListeners.add(listener)
    return () => void this.#joinedListeners.delete(listener)
  }

  onGone(listener: (name: string) => void): () => void {
    this.#goneListeners.add(listener)
    return () => void this.#goneListeners.delete(listener)
  }

  /** The fan-out, which is closed after it, sends the goodbye. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#say('goodbye')
    this.#isClosed = true
    this.#cancelHeartbeat()
    this.#cancelCheck()
    for (const undo of this.#undo) undo()
  }

  #say(kind: NodeMessage['kind']): void {
    if (this.#isClosed) return
    this.#fanout.publish(
      TOPIC,
      writeNodeMessage({ kind, name: this.self, address: this.#address, authority: this.#authority }),
    )
  }

  /** The turn after it takes in what arrived while the process was busy. */
  async #waitForAnswers(): Promise<void> {
    await this.#wait(ANSWERS_MS)
    await nextTurn()
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve))
  }

  #sendHeartbeats(): void {
    this.#cancelHeartbeat = this.#clock.after(HEARTBEAT_MS, () => {
      this.#say('alive')
      this.#sendHeartbeats()
    })
  }

  #receive(bytes: Uint8Array): void {
    const message = readNodeMessage(bytes)
    if (!message || message.name === this.self) return
    const { kind, name, address, authority } = message
    if (kind === 'goodbye') return this.#remove(name, 'it said goodbye')
    const isNew = !this.#entries.has(name)
    const heardAt = this.#clock.now()
    this.#entries.set(name, { name, address, leaseEnd: heardAt + LEASE_MS, heardAt })
    if (kind === 'hello') this.#say('alive')
    if (!isNew) return
    this.#log?.info({ node: name, address }, 'another node is here')
    if (authority !== '' && this.#authority !== '' && authority !== this.#authority)
      this.#log?.warn(
        { node: name, address },
        'the certificate of another node comes from another authority: a proxy that trusts one of them refuses the other; ' +
          'give both the same folder DATA_DIR/tls (docs/OPERATIONS.md, Several nodes)',
      )
    this.#tell(this.#joinedListeners, name)
  }

  #onStatus(status: FanoutStatus): void {
    const wasDeaf = this.#isDeaf
    this.#isDeaf = status === 'disconnected'
    if (wasDeaf && !this.#isDeaf) this.#forgetSilence()
  }

  /** Of a time in which this node could hear nobody. */
  #forgetSilence(): void {
    for (const entry of this.#entries.values()) entry.heardAt = this.#clock.now()
    this.#renewLeases()
  }

  #onInterrupted(): void {
    this.#renewLeases()
    this.#say('hello')
  }

  #renewLeases(): void {
    const now = this.#clock.now()
    for (const entry of this.#entries.values())
      if (now - entry.heardAt < MAX_SILENCE_MS) entry.leaseEnd = now + LEASE_MS
  }

  #checkLeases(previousCheck: number): void {
    this.#cancelCheck = this.#clock.after(CHECK_MS, () => {
      const now = this.#clock.now()
      if (now - previousCheck > CHECK_MS + STANDSTILL_MS) this.#forgetSilence()
      if (!this.#isDeaf)
        for (const { name, leaseEnd } of this.#entries.values())
          if (leaseEnd <= now) this.#remove(name, 'its lease has run out')
      this.#checkLeases(now)
    })
  }

  #remove(name: string, why: string): void {
    if (!this.#entries.delete(name)) return
    this.#log?.info({ node: name, why }, 'a node is gone')
    this.#tell(this.#goneListeners, name)
  }

  #tell(listeners: ReadonlySet<(name: string) => void>, name: string): void {
    for (const listener of listeners) {
      try {
        listener(name)
      } catch (error) {
        this.#log?.error({ err: error }, 'a listener of the register of nodes failed')
      }
    }
  }
}
