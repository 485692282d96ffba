/** The clients of a crowd that live in one thread or page: opened, set to write by a schedule, listened to. Knows neither. */
import type { Dialect, Voice } from './dialect.ts'
import { Ledger } from './ledger.ts'
import { letter, readLetters } from './letters.ts'
import { dueAt, endOf, type Schedule, turnsOf } from './schedule.ts'
import { Seconds } from './seconds.ts'
import { sumOfAudits, type Tally } from './tally.ts'

export interface CrowdClient {
  /** Index in the crowd. */
  readonly client: number
  readonly document: string
  readonly token: string
  /** The clients of the same document: from this index on, that many. */
  readonly first: number
  readonly count: number
}

export interface CrowdRunOrder extends Schedule {
  /** How long nothing new may arrive before the rest is given up. */
  readonly patienceMs: number
}

/** Times in ms, kept as the thread or page can. */
interface SampleRecorder<Kept> {
  record(ms: number): void
  readonly samples: Kept
  readonly count: number
}

export interface ClientEnvironment<Kept> {
  /** One clock for all groups of a crowd, in ms. */
  now(): number
  createRecorder(): SampleRecorder<Kept>
}

/** Yjs's own client ids are as wide. */
const FIRST_AUTHOR = 3_000_000_000
/** How many open at once: more would measure the queue at the door. */
const OPENING = 64
const LOOK_MS = 10
/** After that long nothing more is on its way. */
const LULL_MS = 200

const authorOf = (client: number): number => FIRST_AUTHOR + client
const clientOf = (author: number): number => author - FIRST_AUTHOR

interface Member {
  readonly place: CrowdClient
  readonly ledger: Ledger
  voice: Voice | null
  clock: number
  acknowledged: number
}

interface Arrival {
  readonly member: Member
  readonly update: Uint8Array
  readonly at: number
}

export class ClientGroup<Kept> {
  readonly #dialect: Dialect
  readonly #origin: string
  readonly #environment: ClientEnvironment<Kept>
  readonly #members: Member[]
  #lost = { count: 0, why: '' }
  #beat: ReturnType<typeof setInterval> | undefined
  #run: RunRecord<Kept> | null = null
  readonly #unread: Arrival[] = []

  constructor(
    dialect: Dialect,
    origin: string,
    clients: readonly CrowdClient[],
    environment: ClientEnvironment<Kept>,
  ) {
    this.#dialect = dialect
    this.#origin = origin
    this.#environment = environment
    this.#members = clients.map((place) => ({
      place,
      ledger: new Ledger(authorOf(place.first), place.count, authorOf(place.client)),
      voice: null,
      clock: 0,
      acknowledged: 0,
    }))
  }

  async open(): Promise<void> {
    const waiting = this.#members.values()
    const openNext = async (): Promise<void> => {
      for (const member of waiting) await this.#openMember(member)
    }
    await Promise.all(Array.from({ length: OPENING }, openNext))
    this.#beat = setInterval(() => {
      for (const { voice } of this.#members) voice?.beat()
    }, this.#dialect.beatMs)
  }

  async #openMember(member: Member): Promise<void> {
    const { client, document, token } = member.place
    member.voice = await this.#dialect.open(
      this.#origin,
      { document, token, author: authorOf(client) },
      {
        update: (update) => this.#heard(member, update),
        acknowledged: (count) => this.#acknowledged(member, count, this.#environment.now()),
        closed: (why) => {
          member.voice = null
          this.#lost = { count: this.#lost.count + 1, why: this.#lost.why || why }
        },
      },
    )
  }

  async run(run: CrowdRunOrder): Promise<Tally<Kept>> {
    const running = new RunRecord(run, this.#environment)
    this.#run = running
    await this.#write(run, running)
    await this.#untilQuiet(run, running)
    this.#run = null
    return this.#tally(run, running)
  }

  close(): void {
    clearInterval(this.#beat)
    for (const { voice } of this.#members) voice?.close()
  }

  async #write(run: CrowdRunOrder, running: RunRecord<Kept>): Promise<void> {
    const byClient = new Map(this.#members.map((member) => [member.place.client, member]))
    const first = Math.min(...byClient.keys())
    const turns = turnsOf(run, first, this.#members.length).map((client) => byClient.get(client)!)
    for (let clock = run.firstClock; clock < run.firstClock + run.edits; clock++)
      for (const member of turns) {
        const due = dueAt(run, member.place.client, clock)
        await this.#until(due)
        this.#say(member, due, running)
      }
  }

  /** Timers may come a fraction of a millisecond early, and no edit may. */
  async #until(due: number): Promise<void> {
    const left = (): number => due - this.#environment.now()
    for (let ms = left(); ms > 0; ms = left()) await new Promise((resolve) => setTimeout(resolve, ms))
  }

  #say(member: Member, due: number, running: RunRecord<Kept>): void {
    member.voice?.say(letter(authorOf(member.place.client), member.clock))
    member.clock++
    running.said(due)
  }

  /** Until everything arrived, or nothing new did for too long. */
  async #untilQuiet({ patienceMs }: CrowdRunOrder, running: RunRecord<Kept>): Promise<void> {
    const edits = this.#members[0]?.clock ?? 0
    const isDone = (): boolean =>
      this.#members.every(
        ({ ledger, acknowledged }) =>
          ledger.lacking(edits) === 0 && (this.#dialect.silent === true || acknowledged >= edits),
      )
    running.progressAt = this.#environment.now()
    while (!isDone() && this.#environment.now() - running.progressAt < patienceMs) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      if (this.#environment.now() - running.progressAt > LULL_MS) this.#readAll()
    }
  }

  /** When all write at once, each arrival is noted alone: to read them would hold up those behind them by tenths of a second. */
  #heard(member: Member, update: Uint8Array): void {
    const at = this.#environment.now()
    if (this.#run?.schedule.rhythm !== 'together') return this.#read({ member, update, at })
    this.#unread.push({ member, update, at })
    this.#run.progressAt = at
  }

  #readAll(): void {
    for (const arrival of this.#unread.splice(0)) this.#read(arrival)
  }

  #read({ member, update, at }: Arrival): void {
    readLetters(update, (author, clock, length) => {
      const client = clientOf(author)
      for (let each = clock; each < clock + length; each++) {
        if (client === member.place.client) {
          if (this.#dialect.echoes) this.#acknowledged(member, each + 1, at)
        } else if (member.ledger.take(author, each)) this.#run?.delivered(client, each, at)
      }
    })
  }

  #acknowledged(member: Member, count: number, at: number): void {
    for (; member.acknowledged < count; member.acknowledged++)
      this.#run?.acknowledged(member.place.client, member.acknowledged, at)
  }

  #tally(run: CrowdRunOrder, running: RunRecord<Kept>): Tally<Kept> {
    const edits = this.#members[0]?.clock ?? 0
    const missing = this.#members.reduce((sum, { ledger }) => sum + ledger.lacking(edits), 0)
    const { delivery, acknowledgement, lateness } = running
    return {
      sent: running.sent,
      acknowledged: acknowledgement.count,
      delivered: delivery.count,
      delivery: [delivery.samples],
      acknowledgement: [acknowledgement.samples],
      lateness: [lateness.samples],
      audit: { ...sumOfAudits(this.#members.map(({ ledger }) => ledger.audit)), missing },
      lost: this.#lost,
      perSecond: running.seconds.until(endOf(run)),
    }
  }
}

/** The figures of one run while it goes on. */
class RunRecord<Kept> {
  readonly delivery: SampleRecorder<Kept>
  readonly acknowledgement: SampleRecorder<Kept>
  readonly lateness: SampleRecorder<Kept>
  readonly seconds: Seconds
  sent = 0
  progressAt = 0
  readonly schedule: Schedule
  readonly #now: () => number

  constructor(schedule: Schedule, { now, createRecorder }: ClientEnvironment<Kept>) {
    this.schedule = schedule
    this.#now = now
    this.seconds = new Seconds(schedule.startAt)
    this.delivery = createRecorder()
    this.acknowledgement = createRecorder()
    this.lateness = createRecorder()
  }

  said(due: number): void {
    const at = this.#now()
    this.sent++
    this.seconds.count('sent', at)
    this.lateness.record(at - due)
  }

  delivered(client: number, clock: number, at: number): void {
    this.#arrived('delivered', this.delivery, at, dueAt(this.schedule, client, clock))
  }

  acknowledged(client: number, clock: number, at: number): void {
    this.#arrived('acknowledged', this.acknowledgement, at, dueAt(this.schedule, client, clock))
  }

  #arrived(
    what: 'delivered' | 'acknowledged',
    recorder: SampleRecorder<Kept>,
    at: number,
    due: number,
  ): void {
    this.progressAt = at
    this.seconds.count(what, at)
    recorder.record(at - due)
  }
}
