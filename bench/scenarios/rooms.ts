/** Many documents with a few writers each: what an edit costs where nobody shares a room with everybody. */
import { faultsOf } from '../crowd/faults.ts'
import { type Figures, measureRun } from '../crowd/measure.ts'
import { gather, programOf, settings, subjectOf, subjects } from '../crowd/subjects.ts'
import { plain } from '../report/figures.ts'
import { becauseBusy, sentences } from '../report/reasons.ts'
import { measuredAims, type Section } from '../report/section.ts'
import { summaryOf } from '../support/histogram.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, type Outcome, scenario } from '../support/scenario.ts'
import { overRounds, type Spread } from '../support/stats.ts'

const WARM_UP_SECONDS = 3
const measured = subjects.filter(({ lane, name }) => lane === 'websocket' && name !== 'relay')
const names = measured.map(({ name }) => name)

interface About {
  readonly [name: string]: number
  readonly documents: number
  readonly writers: number
  readonly keys: number
}

type One = Outcome<About, Figures>

export const rooms = scenario({
  name: 'rooms',
  sentence: 'Many documents with a few writers each: server time an edit, beside the peers.',
  options: {
    subjects: someOf('who', names, names),
    documents: number('documents', 500, 1, 5_000),
    writers: number('writers of each', 4, 2, 100),
    keys: number('keys a second of each writer', 6, 1, 50),
    seconds: number('seconds of a trial, after a warm-up', 15, 1, 3_600),
    rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
  },
  quick: { documents: '50', seconds: '2', rounds: '1' },
  plan: ({ subjects: whom, rounds, documents, writers, keys }) =>
    interleaved(rounds, whose(whom)).map(({ round, item: { name, lane } }) => ({
      subject: name,
      lane,
      params: { documents, writers, keys },
      round,
    })),
  estimate: ({ params: { documents, writers } }, { seconds }) =>
    4 + (documents * writers) / 300 + WARM_UP_SECONDS + seconds,
  async run({ subject, lane, params: { documents, writers, keys } }, ctx, { seconds }): Promise<Figures> {
    const gathered = await gather(ctx, subjectOf({ subject, lane }), {
      clients: documents * writers,
      perDocument: writers,
    })
    const load = { rhythm: 'spread', intervalMs: 1000 / keys } as const
    await gathered.crowd.run({ ...load, edits: WARM_UP_SECONDS * keys })
    return measureRun(ctx, gathered, { ...load, edits: seconds * keys })
  },
  report,
})

const whose = (names: readonly string[]) => measured.filter(({ name }) => names.includes(name))

const microsecondsAnEdit = ({ serverCpuMs, tally }: Figures): number => (serverCpuMs * 1000) / tally.sent

/** An aim below what a server takes that only passes on asks for more than to do the work well. */
function besideRelay(relay: number, peer: number): string {
  if (Number.isNaN(relay / peer)) return ''
  return `Socket.IO, which here only passes on what comes and keeps nothing, took ${plain(relay, 0)} µs in the same run, ${plain(relay / peer, 2)} × of Hocuspocus: with few in a room an edit’s way in and out of the sockets is most of its cost, and Diptych also checks it and has it on the disk before anybody sees it.`
}

function report(outcomes: readonly One[]): Section {
  const { documents, writers, keys } = outcomes[0]!.trial.params
  const byName = Map.groupBy(outcomes, ({ trial }) => trial.subject)
  const spread = (name: string, of: (data: Figures) => number): Spread =>
    overRounds((byName.get(name) ?? []).map(({ data }) => of(data)))
  const time = (which: 'p50' | 'p99') => (data: Figures) => summaryOf(data.tally.delivery)[which]
  const cost = (name: string): number => spread(name, microsecondsAnEdit).median
  const aims = measuredAims([
    {
      name: 'Server CPU an edit, beside Hocuspocus',
      measured: cost('diptych') / cost('hocuspocus'),
      limit: 0.5,
      unit: '×',
      reason: sentences(
        besideRelay(cost('socket.io'), cost('hocuspocus')),
        becauseBusy(byName.get('diptych') ?? []),
      ),
    },
  ])
  return {
    method: `${documents} documents, ${writers} writers each, ${keys} letters a second each; headless clients, plain WebSocket. Times from when a letter was due to each other writer of its document.`,
    tables: [
      {
        title: 'An edit',
        columns: [
          { name: '' },
          { name: 'server CPU an edit', unit: 'µs', digits: 0 },
          { name: 'server CPU', unit: '%', digits: 0 },
          { name: 'p50', unit: 'ms' },
          { name: 'p99', unit: 'ms' },
          { name: 'resident', unit: 'MiB', digits: 0 },
          ...(['missing', 'doubled', 'out of order'] as const).map((name) => ({ name, digits: 0 })),
        ],
        rows: [...byName].map(([name, rounds]) => [
          programOf(name),
          spread(name, microsecondsAnEdit),
          spread(name, ({ serverCpuMs, seconds }) => serverCpuMs / seconds / 10),
          spread(name, time('p50')),
          spread(name, time('p99')),
          spread(name, ({ residentKiB }) => residentKiB / 1024),
          ...(['missing', 'doubled', 'disordered'] as const).map((what) =>
            rounds.reduce((sum, { data }) => sum + data.tally.audit[what], 0),
          ),
        ]),
        note: 'With Diptych each edit is on the disk before anybody else sees it; the others store later, or nothing.',
      },
    ],
    charts: [
      {
        kind: 'bars',
        title: 'Server CPU an edit',
        unit: 'µs',
        groups: [...byName.keys()].map(programOf),
        series: [
          { name: 'an edit', values: [...byName.keys()].map((name) => spread(name, microsecondsAnEdit)) },
        ],
      },
      {
        kind: 'bars',
        title: 'Time to another writer',
        unit: 'ms',
        scale: 'log',
        groups: [...byName.keys()].map(programOf),
        series: (['p50', 'p99'] as const).map((which) => ({
          name: which,
          values: [...byName.keys()].map((name) => spread(name, time(which))),
        })),
      },
    ],
    aims,
    headlines: ['diptych', 'hocuspocus'].every((name) => byName.has(name))
      ? [
          {
            what: `Server CPU an edit, ${documents} documents of ${writers} writers, ${keys} keys a second each`,
            ours: `${plain(cost('diptych'), 0)} µs`,
            beside: `Hocuspocus ${plain(cost('hocuspocus'), 0)} µs${byName.has('socket.io') ? `; Socket.IO, which keeps nothing, ${plain(cost('socket.io'), 0)} µs` : ''}`,
            aims,
          },
          {
            what: 'The same, time to another writer, p50',
            ours: `${plain(spread('diptych', time('p50')).median)} ms`,
            beside: `Hocuspocus ${plain(spread('hocuspocus', time('p50')).median)} ms`,
          },
        ]
      : [],
    notes: [
      ...[...byName.keys()].flatMap((name) => settings[name] ?? []),
      ...outcomes.flatMap(({ trial: { subject, round }, data }) =>
        faultsOf(`${programOf(subject)}, round ${round}`, data.tally),
      ),
    ],
  }
}
