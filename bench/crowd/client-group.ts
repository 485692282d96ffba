/** Opens the clients of one thread or page, lets them write by a schedule, and counts what arrives. Knows neither threads nor pages. */
import type { LatencyRecorder } from '../support/histogram.ts'
import type { CrowdConnection, CrowdProtocol } from './crowd-protocol.ts'
import { DeliveryAudit } from './delivery-audit.ts'
import { encodeLetter, readLetters } from './letter-updates.ts'
import { dueAt, endOf, type Schedule, turnsOf } from './schedule.ts'
import { SecondCounters } from './second-counters.ts'
import { sumCounts, type CrowdTally } from './crowd-tally.ts'

export interface CrowdClient {
  /** The client's index in the crowd. */
  readonly index: number
  /** The server or node that it connects to. */
  readonly origin: string
  readonly document: string
  readonly token: string
  /** The index of the document's first client, and the number of its clients. */
  readonly first: number
  readonly count: number
}

export interface CrowdRunOrder extends Schedule {
  /** When nothing new arrives for so long, the rest counts as lost. */
  readonly patienceMs: number
}

export interface ClientEnvironment {
  /** Returns the time in ms, by one clock for all groups of a crowd. */
  now(): number
  createRecorder(): LatencyRecorder
}

/** Is as wide as the ids that Yjs makes. */
const FIRST_AUTHOR = 3_000_000_000
/** The number of clients that connect at once: with more, the server's accept queue would be measured. */
const CONNECTING_AT_ONCE = 64
const POLL_MS = 10
/** When nothing has arrived for so long, a burst is over. */
const LULL_MS = 200

const authorOf = (client: number): number => FIRST_AUTHOR + client
const clientOf = (author: number): number => author - FIRST_AUTHOR

interface GroupMember {
  readonly client: CrowdClient
  readonly audit: DeliveryAudit
  connection: CrowdConnection | null
  clock: number
  acknowledged: number
}

interface UnreadUpdate {
  readonly member: GroupMember
  readonly update: Uint8Array
  readonly at: number
}

export class ClientGroup {
  readonly #protocol: CrowdProtocol
  readonly #environment: ClientEnvironment
  readonly #members: GroupMember[]
  #lostConnections = { count: 0, why: '' }
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #run: RunRecord | null = null
  readonly #unread: UnreadUpdate[] = []

  constructor(protocol: CrowdProtocol, clients: readonly CrowdClient[], environment: ClientEnvironment) {
    this.#protocol = protocol
    this.#environment = environment
    this.#members = clients.map((client) => ({
      client,
      audit: new DeliveryAudit(authorOf(client.first), client.count, authorOf(client.index)),
      connection: null,
      clock: 0,
      acknowledged: 0,
    }))
  }

  async open(): Promise<void> {
    const waiting = this.#members.values()
    const openNext = async (): Promise<void> => {
      for (const member of waiting) await this.#openMember(member)
    }
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, openNext))
    this.#heartbeat = setInterval(() => {
      for (const { connection } of this.#members) connection?.sendHeartbeat()
    }, this.#protocol.heartbeatMs)
  }

  async #openMember(member: GroupMember): Promise<void> {
    const { index, origin, document, token } = member.client
    member.connection = await this.#protocol.open(
      origin,
      { document, token, author: authorOf(index) },
      {
        onUpdate: (update) => this.#receive(member, update),
        onAcknowledged: (count) => this.#acknowledge(member, count, this.#environment.now()),
        onClosed: (why) => {
          member.connection = null
          const { count, why: firstWhy } = this.#lostConnections
          this.#lostConnections = { count: count + 1, why: firstWhy || why }
        },
      },
    )
  }

  async run(run: CrowdRunOrder): Promise<CrowdTally> {
    const running = new RunRecord(run, this.#environment)
    this.#run = running
    await this.#write(run, running)
    await this.#waitForArrivals(run, running)
    this.#run = null
    return this.#createTally(run, running)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const { connection } of this.#members) connection?.close()
  }

  async #write(run: CrowdRunOrder, running: RunRecord): Promise<void> {
    const byClient = new Map(this.#members.map((member) => [member.client.index, member]))
    const first = Math.min(...byClient.keys())
    const turns = turnsOf(run, first, this.#members.length).map((client) => byClient.get(client)!)
    for (let clock = run.firstClock; clock < run.firstClock + run.edits; clock++)
      for (const member of turns) {
        const due = dueAt(run, member.client.index, clock)
        await this.#sleepUntil(due)
        this.#writeEdit(member, due, running)
      }
  }

  /** Never resolves early, as a timer may by a fraction of a millisecond. */
  async #sleepUntil(due: number): Promise<void> {
    const left = (): number => due - this.#environment.now()
    for (let ms = left(); ms > 0; ms = left()) await new Promise((resolve) => setTimeout(resolve, ms))
  }

  #writeEdit(member: GroupMember, due: number, running: RunRecord): void {
    member.connection?.sendEdit(encodeLetter(authorOf(member.client.index), member.clock))
    member.clock++
    running.recordSent(due)
  }

  /** Resolves once everything has arrived, or nothing new has for too long. */
  async #waitForArrivals({ patienceMs }: CrowdRunOrder, running: RunRecord): Promise<void> {
    const edits = this.#members[0]?.clock ?? 0
    const isDone = (): boolean =>
      this.#members.every(
        ({ audit, acknowledged }) =>
          audit.missingOf(edits) === 0 && (this.#protocol.silent === true || acknowledged >= edits),
      )
    running.progressAt = this.#environment.now()
    while (!isDone() && this.#environment.now() - running.progressAt < patienceMs) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if (this.#environment.now() - running.progressAt > LULL_MS) this.#readAll()
    }
  }

  /** When all write at once, records only the time of each arrival: reading it would delay the next ones by tenths of a second. */
  #receive(member: GroupMember, update: Uint8Array): void {
    const at = this.#environment.now()
    if (this.#run?.schedule.rhythm !== 'together') return this.#read({ member, update, at })
    this.#unread.push({ member, update, at })
    this.#run.progressAt = at
  }

  #readAll(): void {
    for (const arrival of this.#unread.splice(0)) this.#read(arrival)
  }

  #read({ member, update, at }: UnreadUpdate): void {
    readLetters(update, (author, clock, length) => {
      const client = clientOf(author)
      for (let each = clock; each < clock + length; each++) {
        if (client === member.client.index) {
          if (this.#protocol.echoes) this.#acknowledge(member, each + 1, at)
        } else if (member.audit.receive(author, each)) this.#run?.recordDelivery(client, each, at)
      }
    })
  }

  #acknowledge(member: GroupMember, count: number, at: number): void {
    for (; member.acknowledged < count; member.acknowledged++)
      this.#run?.recordAcknowledgement(member.client.index, member.acknowledged, at)
  }

  #createTally(run: CrowdRunOrder, running: RunRecord): CrowdTally {
    const edits = this.#members[0]?.clock ?? 0
    const missing = this.#members.reduce((sum, { audit }) => sum + audit.missingOf(edits), 0)
    const { delivery, acknowledgement, lateness } = running
    return {
      sent: running.sent,
      acknowledged: acknowledgement.count,
      delivered: delivery.count,
      delivery: [delivery.samples],
      acknowledgement: [acknowledgement.samples],
      lateness: [lateness.samples],
      audit: { ...sumCounts(this.#members.map(({ audit }) => audit.counts)), missing },
      lost: this.#lostConnections,
      perSecond: running.seconds.until(endOf(run)),
    }
  }
}

/** Collects the figures of one run. */
class RunRecord {
  readonly delivery: LatencyRecorder
  readonly acknowledgement: LatencyRecorder
  readonly lateness: LatencyRecorder
  readonly seconds: SecondCounters
  sent = 0
  progressAt = 0
  readonly schedule: Schedule
  readonly #now: () => number

  constructor(schedule: Schedule, { now, createRecorder }: ClientEnvironment) {
    this.schedule = schedule
    this.#now = now
    this.seconds = new SecondCounters(schedule.startAt)
    this.delivery = createRecorder()
    this.acknowledgement = createRecorder()
    this.lateness = createRecorder()
  }

  recordSent(due: number): void {
    const at = this.#now()
    this.sent++
    this.seconds.count('sent', at)
    this.lateness.record(at - due)
  }

  recordDelivery(client: number, clock: number, at: number): void {
    this.#recordArrival('delivered', this.delivery, at, dueAt(this.schedule, client, clock))
  }

  recordAcknowledgement(client: number, clock: number, at: number): void {
    this.#recordArrival('acknowledged', this.acknowledgement, at, dueAt(this.schedule, client, clock))
  }

  #recordArrival(
    what: 'delivered' | 'acknowledged',
    recorder: LatencyRecorder,
    at: number,
    due: number,
  ): void {
    this.progressAt = at
    this.seconds.count(what, at)
    recorder.record(at - due)
  }
}
