/** Clients of a crowd within one page of a browser. What they stamp is fetched when all is over. */
import { createNet } from '../../../lib/transports/net/browser.ts'
import { transports } from '../../../lib/transports/registry.ts'
import type { Transport, TransportId } from '../../../lib/transports/transport.ts'
import { converse } from '../conversation.ts'
import type { Voice } from '../dialect.ts'
import { type Audit, Ledger } from '../ledger.ts'
import { letter, readLetters } from '../letters.ts'
import { dueAt, endOf, type Schedule } from '../schedule.ts'
import { type Second, Seconds } from '../seconds.ts'

interface InPage {
  readonly open: typeof open
  readonly write: typeof write
  readonly lacking: typeof lacking
  readonly record: typeof record
}

declare global {
  interface Window {
    crowd?: InPage
  }
}

export interface PageOrder {
  readonly transport: TransportId
  readonly document: string
  /** Of all pages together. */
  readonly clients: number
  /** Of this page, by their index among all. */
  readonly own: readonly number[]
}

export interface PageRecord {
  readonly sent: number
  readonly delivery: readonly number[]
  readonly acknowledgement: readonly number[]
  readonly lateness: readonly number[]
  readonly perSecond: readonly Second[]
  readonly audits: readonly Audit[]
  readonly lacking: number
}

interface Member {
  readonly client: number
  readonly ledger: Ledger
  voice: Voice | null
  clock: number
  acknowledged: number
}

const FIRST_AUTHOR = 3_000_000_000
/** Pages of one browser agree on it to a fraction of a millisecond. */
const now = (): number => performance.timeOrigin + performance.now()

let members: Member[] = []
let running: Running | null = null

/** The figures of one schedule while it is written. */
class Running {
  sent = 0
  readonly delivery: number[] = []
  readonly acknowledgement: number[] = []
  readonly lateness: number[] = []
  readonly seconds: Seconds
  readonly schedule: Schedule

  constructor(schedule: Schedule) {
    this.schedule = schedule
    this.seconds = new Seconds(schedule.startAt)
  }

  said(due: number, at: number): void {
    this.sent++
    this.seconds.count('sent', at)
    this.lateness.push(at - due)
  }

  delivered(due: number, at: number): void {
    this.seconds.count('delivered', at)
    this.delivery.push(at - due)
  }

  acknowledged(due: number, at: number): void {
    this.seconds.count('acknowledged', at)
    this.acknowledgement.push(at - due)
  }
}

export async function open({ transport, document, clients, own }: PageOrder): Promise<void> {
  members = own.map((client) => ({
    client,
    ledger: new Ledger(FIRST_AUTHOR, clients, FIRST_AUTHOR + client),
    voice: null,
    clock: 0,
    acknowledged: 0,
  }))
  const target = { origin: location.origin, net: createNet() }
  const way = transports.get(transport) as Transport
  for (const member of members)
    member.voice = await converse(way, target, document, {
      update: (update) => heard(member, update),
      acknowledged: (count) => acknowledged(member, count),
      closed: () => (member.voice = null),
    })
}

/** Resolves when all of it was said. */
export async function write(schedule: Schedule): Promise<void> {
  const run = new Running(schedule)
  running = run
  await Promise.all(members.map((member) => writeAs(member, run)))
}

async function writeAs(member: Member, run: Running): Promise<void> {
  const { schedule } = run
  const end = schedule.firstClock + schedule.edits
  while (member.clock < end) {
    const due = dueAt(schedule, member.client, member.clock)
    for (let left = due - now(); left > 0; left = due - now())
      await new Promise((resolve) => setTimeout(resolve, left))
    run.said(due, now())
    member.voice?.say(letter(FIRST_AUTHOR + member.client, member.clock++))
  }
}

export const lacking = (): number =>
  members.reduce(
    (sum, { ledger, clock, acknowledged: done }) => sum + ledger.lacking(clock) + clock - done,
    0,
  )

export function record(): PageRecord {
  const { sent, delivery, acknowledgement, lateness, seconds, schedule } = running!
  return {
    sent,
    delivery,
    acknowledgement,
    lateness,
    perSecond: seconds.until(endOf(schedule)),
    audits: members.map(({ ledger }) => ledger.audit),
    lacking: members.reduce((sum, { ledger, clock }) => sum + ledger.lacking(clock), 0),
  }
}

function heard(member: Member, update: Uint8Array): void {
  const at = now()
  readLetters(update, (author, clock, length) => {
    for (let each = clock; each < clock + length; each++)
      if (member.ledger.take(author, each) && running)
        running.delivered(dueAt(running.schedule, author - FIRST_AUTHOR, each), at)
  })
}

function acknowledged(member: Member, count: number): void {
  const at = now()
  for (; member.acknowledged < count; member.acknowledged++)
    running?.acknowledged(dueAt(running.schedule, member.client, member.acknowledged), at)
}
