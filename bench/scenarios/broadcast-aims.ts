/** What `broadcast` aims at, why it was missed where it was, and its rows of the table of headlines. */
import { plain } from '../report/figures.ts'
import { becauseBusy, becauseOfDisk, sentences } from '../report/reasons.ts'
import { type Aim, type Headline, measuredAims } from '../report/section.ts'
import {
  type Measured,
  median,
  microsecondsADelivery,
  type One,
  onRamDisk,
  type Part,
  p99,
  rowOf,
} from './broadcast-figures.ts'
import { ownHeadlines } from './broadcast-own.ts'

type Figure = (data: Measured) => number

const names = {
  stockSixty: 'Server CPU a delivery to stock clients, beside Hocuspocus',
  stockMany: 'The same with many clients',
  cpu: 'Server CPU a delivery, beside Hocuspocus',
  p99: 'p99 with many clients',
  atOnce: 'p99 of all at once, beside Hocuspocus',
} as const

const ours = 'diptych, websocket'
const stock = 'diptych, stock door'
const theirs = 'hocuspocus, websocket'

export function aimsOf(outcomes: readonly One[]): Aim[] {
  const times = (part: Part, of: Figure, own = ours): number =>
    median(outcomes, part, own, of) / median(outcomes, part, theirs, of)
  return measuredAims([
    {
      name: names.cpu,
      measured: times('many', microsecondsADelivery),
      limit: 0.5,
      unit: '×',
      reason: sentences(besideNothing(outcomes), becauseBusy(roundsOf(outcomes, 'many', ours))),
    },
    ...(
      [
        ['sixty', names.stockSixty],
        ['many', names.stockMany],
      ] as const
    ).map(([part, name]) => ({
      name,
      measured: times(part, microsecondsADelivery, stock),
      limit: 1,
      unit: '×',
      reason: becauseBusy(roundsOf(outcomes, part, stock)),
    })),
    {
      name: names.p99,
      measured: median(outcomes, 'many', ours, p99),
      limit: 16,
      unit: 'ms',
      reason: sentences(
        becauseOfDisk(inPart(outcomes, 'many')),
        withoutItsDisk(outcomes),
        becauseBusy(roundsOf(outcomes, 'many', ours)),
      ),
    },
    {
      name: names.atOnce,
      measured: times('at once', p99),
      limit: 0.33,
      unit: '×',
      reason: sentences(
        burstWork(outcomes),
        relayAtOnce(outcomes),
        becauseBusy(roundsOf(outcomes, 'at once', ours)),
      ),
    },
  ])
}

const inPart = (outcomes: readonly One[], part: Part): One[] =>
  outcomes.filter(({ trial }) => trial.params.part === part)

const roundsOf = (outcomes: readonly One[], part: Part, name: string): readonly One[] =>
  rowOf(outcomes, part, name)?.rounds ?? []

/** What passing on costs by itself, one send for each receiver. */
function besideNothing(outcomes: readonly One[]): string {
  const cost = (name: string) => median(outcomes, 'many', name, microsecondsADelivery)
  const [relay, peer] = [cost('relay, websocket'), cost(theirs)]
  return Number.isFinite(relay / peer)
    ? `A relay that understands and keeps nothing took ${plain(relay, 2)} µs in the same run, ${plain(relay / peer, 2)} × of Hocuspocus. Diptych also checks, numbers and stores each edit.`
    : ''
}

function withoutItsDisk(outcomes: readonly One[]): string {
  const time = median(outcomes, 'many', onRamDisk, p99)
  return Number.isNaN(time)
    ? ''
    : `With its data on a RAM disk, where a sync takes no time, Diptych had ${plain(time)} ms in the same run.`
}

/** The last of a burst waits for all of it. */
function burstWork(outcomes: readonly One[]): string {
  const clients = inPart(outcomes, 'at once')[0]?.trial.params.clients ?? 0
  const deliveries = clients * (clients - 1)
  const [own, peer] = [ours, theirs].map((name) => median(outcomes, 'at once', name, microsecondsADelivery))
  const seconds = (each: number) => `${plain(each, 2)} µs, ${plain((deliveries * each) / 1e6, 2)} s`
  return Number.isFinite(own! / peer!)
    ? `A burst is ${plain(deliveries, 0)} deliveries, which take that much of a core by themselves: at Diptych’s ${seconds(own!)}; at Hocuspocus’s ${seconds(peer!)}.`
    : ''
}

function relayAtOnce(outcomes: readonly One[]): string {
  const time = (name: string) => median(outcomes, 'at once', name, p99)
  const [relay, peer] = [time('relay, websocket'), time(theirs)]
  return Number.isFinite(relay / peer)
    ? `A relay that understands and keeps nothing took ${plain(relay, 0)} ms in the same run, ${plain(relay / peer, 2)} × of Hocuspocus.`
    : ''
}

export function headlinesOf(outcomes: readonly One[], aims: readonly Aim[]): Headline[] {
  const row = (what: string, part: Part, of: Figure, words: (value: number) => string, aim: string) => {
    const [own, peer] = [median(outcomes, part, ours, of), median(outcomes, part, theirs, of)]
    if (Number.isNaN(own) || Number.isNaN(peer)) return []
    const ram = part === 'many' && of === p99 ? median(outcomes, part, onRamDisk, of) : Number.NaN
    const beside = `Hocuspocus ${words(peer)}${Number.isNaN(ram) ? '' : `; Diptych on a RAM disk ${words(ram)}`}`
    return [{ what, ours: words(own), beside, aims: aims.filter(({ name }) => name === aim), of: { part } }]
  }
  const clients = (part: Part) =>
    (inPart(outcomes, part)[0]?.trial.params.clients ?? 0).toLocaleString('en-GB')
  const ms = (value: number) => `${plain(value)} ms`
  return [
    ...row(
      `Server CPU a delivery, ${clients('many')} clients writing to all`,
      'many',
      microsecondsADelivery,
      (value) => `${plain(value, 2)} µs`,
      names.cpu,
    ),
    ...row('The same, time to another client, p99', 'many', p99, ms, names.p99),
    ...row(
      `${clients('at once')} clients writing at once, time to another client, p99`,
      'at once',
      p99,
      ms,
      names.atOnce,
    ),
    ...ownHeadlines(outcomes),
  ]
}
