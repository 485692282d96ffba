/** Many documents with a few writers each: the cost of an edit in small rooms. */
import { type CrowdRun, measureCrowdRun } from '../crowd/crowd-run.ts'
import { cpuAnEdit, delivery, exactlyOnce, faultNotes, resident, serverCpu } from '../crowd/crowd-metrics.ts'
import {
  measuredServers,
  programOf,
  serverOf,
  settingsOf,
  startWithCrowd,
} from '../crowd/measured-servers.ts'
import type { Rounds } from '../report/metrics.ts'
import { aim, besidePeers, floorReason, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
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

export const roomsScenario = scenario({
  name: 'rooms',
  sentence: 'Many documents with a few writers each: server time of an edit, beside the peers.',
  options: {
    subjects: someOf('servers to measure', subjects),
    documents: number('documents', 500, 1, 5_000),
    writers: number('writers in each document', 4, 2, 100),
    keys: number('keys a second by each writer', 6, 1, 50),
    seconds: number('seconds of a trial, after the warm-up', 15, 1, 3_600),
  },
  quick: { subjects: 'diptych,hocuspocus', documents: '50', seconds: '2' },
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
  const programs = all.groupBy(({ subject }) => programOf(subject))
  const [ours, theirs, socketIo] = all.split('subject', ['diptych', 'hocuspocus', 'socket.io'])
  const aims = [
    aim('Server CPU an edit, beside Hocuspocus', cpuAnEdit, {
      atMost: 0.5,
      of: ours,
      beside: theirs,
      reasons: [
        floorReason('Socket.IO, which only passes on letters,', cpuAnEdit, socketIo, theirs),
        'With few people in a room, most of an edit’s cost is its way in and out of the sockets. Diptych also checks each edit and writes it to the disk before anybody sees it.',
      ],
    }),
  ]
  return {
    method: `${documents} documents with ${writers} writers each, who write ${keys} letters a second each. Headless clients use plain WebSocket. Times count from when a letter was due until each other writer of its document has it.`,
    tables: [
      table(
        'An edit',
        programs,
        [cpuAnEdit, serverCpu, delivery('p50'), delivery('p99'), resident, ...exactlyOnce],
        {
          note: 'With Diptych each edit is on the disk before anybody else sees it. The others store it later or not at all.',
        },
      ),
    ],
    charts: [
      barChart('Server CPU an edit', programs, [cpuAnEdit]),
      barChart('Time to another writer', programs, [delivery('p50'), delivery('p99')], { scale: 'log' }),
    ],
    aims,
    headlines: [
      {
        what: `Server CPU an edit, ${documents} documents of ${writers} writers, ${keys} keys a second each`,
        ...besidePeers(cpuAnEdit, ours, { Hocuspocus: theirs, 'Socket.IO, which keeps nothing,': socketIo }),
        aims,
      },
      {
        what: 'The same, time to another writer, p50',
        ...besidePeers(delivery('p50'), ours, { Hocuspocus: theirs }),
      },
    ],
    notes: [...settingsOf(all), ...faultNotes(all, ({ subject }) => programOf(subject))],
  }
}
