/** Many documents with a few writers each: what an edit costs where nobody shares a room with everybody. */
import { type CrowdRun, measureCrowdRun } from '../crowd/crowd-run.ts'
import { cpuAnEdit, delivery, exactlyOnce, faultsIn, resident, serverCpu } from '../crowd/crowd-metrics.ts'
import {
  measuredServers,
  programOf,
  serverOf,
  settingsOf,
  startWithCrowd,
} from '../crowd/measured-servers.ts'
import { plain } from '../report/figures.ts'
import { bars, ratio, type Rounds, type SectionDeclaration, table } from '../report/metrics.ts'
import { becauseBusy } from '../report/reasons.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

const WARM_UP_SECONDS = 3
const measured = measuredServers.filter(({ lane, subject }) => lane === 'websocket' && subject !== 'relay')
const subjects = measured.map(({ subject }) => subject)

type RoomsParams = {
  readonly documents: number
  readonly writers: number
  readonly keys: number
}

export const rooms = scenario({
  name: 'rooms',
  sentence: 'Many documents with a few writers each: server time an edit, beside the peers.',
  options: {
    subjects: someOf('who', subjects, subjects),
    documents: number('documents', 500, 1, 5_000),
    writers: number('writers of each', 4, 2, 100),
    keys: number('keys a second of each writer', 6, 1, 50),
    seconds: number('seconds of a trial, after a warm-up', 15, 1, 3_600),
  },
  quick: { documents: '50', seconds: '2' },
  plan: ({ subjects: wanted, documents, writers, keys }) =>
    measured
      .filter(({ subject }) => wanted.includes(subject))
      .map(({ subject, lane }) => ({ subject, lane, params: { documents, writers, keys } })),
  estimate: ({ params: { documents, writers } }, { seconds }) =>
    4 + (documents * writers) / 300 + WARM_UP_SECONDS + seconds,
  async run({ params: { documents, writers, keys }, ...trial }, ctx, { seconds }): Promise<CrowdRun> {
    const size = { clients: documents * writers, perDocument: writers }
    const running = await startWithCrowd(ctx, serverOf(trial), size)
    const edits = { warmUp: WARM_UP_SECONDS * keys, edits: seconds * keys }
    return measureCrowdRun(ctx, running, { rhythm: 'spread', intervalMs: 1000 / keys, ...edits })
  },
  report,
})

function report(all: Rounds<RoomsParams, CrowdRun>): SectionDeclaration {
  const { documents, writers, keys } = all.params!
  const programs = all.by(({ subject }) => programOf(subject))
  const [ours, theirs, passedOn] = all.split('subject', ['diptych', 'hocuspocus', 'socket.io'])
  const cost = ratio(cpuAnEdit, ours, theirs)
  const aims = [
    {
      name: 'Server CPU an edit, beside Hocuspocus',
      measured: cost,
      limit: 0.5,
      unit: '×',
      reason: [besidePassingOn(passedOn.median(cpuAnEdit), theirs.median(cpuAnEdit)), becauseBusy(ours)],
    },
  ]
  return {
    method: `${documents} documents, ${writers} writers each, ${keys} letters a second each; headless clients, plain WebSocket. Times from when a letter was due to each other writer of its document.`,
    tables: [
      table(
        'An edit',
        programs,
        [cpuAnEdit, serverCpu, delivery('p50'), delivery('p99'), resident, ...exactlyOnce],
        {
          note: 'With Diptych each edit is on the disk before anybody else sees it; the others store later, or nothing.',
        },
      ),
    ],
    charts: [
      bars('Server CPU an edit', programs, [cpuAnEdit]),
      bars('Time to another writer', programs, [delivery('p50'), delivery('p99')], { scale: 'log' }),
    ],
    aims,
    headlines: Number.isNaN(cost)
      ? []
      : [
          {
            what: `Server CPU an edit, ${documents} documents of ${writers} writers, ${keys} keys a second each`,
            ours: ours.words(cpuAnEdit),
            beside: [
              theirs.words(cpuAnEdit, 'Hocuspocus'),
              passedOn.words(cpuAnEdit, 'Socket.IO, which keeps nothing,'),
            ],
            aims,
          },
          {
            what: 'The same, time to another writer, p50',
            ours: ours.words(delivery('p50')),
            beside: theirs.words(delivery('p50'), 'Hocuspocus'),
          },
        ],
    notes: [...settingsOf(all), ...faultsIn(all, ({ subject }) => programOf(subject))],
  }
}

/** An aim below what a server takes that only passes on asks for more than to do the work well. */
function besidePassingOn(passedOn: number, peer: number): string {
  if (Number.isNaN(passedOn / peer)) return ''
  return `Socket.IO, which here only passes on what comes and keeps nothing, took ${plain(passedOn, 0)} µs in the same run, ${plain(passedOn / peer, 2)} × of Hocuspocus: with few in a room an edit’s way in and out of the sockets is most of its cost, and Diptych also checks it and has it on the disk before anybody sees it.`
}
