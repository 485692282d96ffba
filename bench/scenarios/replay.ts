/** Two people's recorded typing at the same time, over every transport: the text ends as the trace does. */
import type * as Y from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import { expectedTextOf, replayTrace, traceTextOf } from '../../server/fixtures/replay-trace.ts'
import { readTrace, tracesFolder } from '../../server/fixtures/traces.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { startWithWindows } from '../clients/own-clients.ts'
import { plain } from '../report/figures.ts'
import { bars, metric, type Rounds, type SectionDeclaration, table } from '../report/metrics.ts'
import { becauseLost } from '../report/reasons.ts'
import { untilQuiet } from '../support/machine.ts'
import { number, type Values } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'

/** A turn between the two waits for a poll: the whole of the trace would take ten minutes. */
const POLLED_SHARE = 0.1

type ReplayParams = { readonly transactions: number }

interface ReplayData {
  readonly seconds: number
  /** To the text that the trace, or the part of it, ends with. */
  readonly equal: { readonly windows: boolean; readonly store: boolean }
  readonly serverCpuMs: number
  /** Of frames, both windows together. */
  readonly bytes: { readonly up: number; readonly down: number }
}

const options = {
  transactions: number(
    'of the trace friendsforever, which has 26,078; of them a tenth by polling',
    26_078,
    100,
    26_078,
  ),
}

export const replaying = scenario<typeof options, ReplayParams, ReplayData>({
  name: 'replay',
  sentence: 'Recorded typing of two people at the same time over each transport; needs TRACES_DIR.',
  options,
  rounds: 1,
  quick: { transactions: '1000' },
  plan,
  estimate: ({ lane, params: { transactions } }) => 4 + transactions * (lane === 'poll' ? 0.03 : 0.0015),
  async run({ lane, params: { transactions } }, ctx) {
    const trace = readTrace('friendsforever')
    const { server, windows, finish } = await startWithWindows(ctx, [
      lane as TransportId,
      lane as TransportId,
    ])
    await untilQuiet()
    const before = await server.usage()
    const startedAt = performance.now()
    await ctx.measure(() => replayTrace(windows as [OpenDocument, OpenDocument], trace, transactions))
    const seconds = (performance.now() - startedAt) / 1000
    const serverCpuMs = (await server.usage()).cpuMs - before.cpuMs
    const bytes = bytesOf(windows)
    const stored = await finish()
    const end = expectedTextOf(trace, transactions)
    const isEnd = (doc: Y.Doc) => traceTextOf(doc).toJSON() === end
    const equal = { windows: windows.every(({ doc }) => isEnd(doc)), store: isEnd(stored) }
    return { seconds, serverCpuMs, bytes, equal }
  },
  report,
})

function plan({ transactions }: Values<typeof options>): PlannedTrial<ReplayParams>[] {
  if (!tracesFolder) return []
  return [...transports.keys()].map((lane) => ({
    lane,
    params: { transactions: Math.round(lane === 'poll' ? transactions * POLLED_SHARE : transactions) },
  }))
}

function bytesOf(windows: readonly OpenDocument[]): ReplayData['bytes'] {
  const sum = (way: 'bytesUp' | 'bytesDown') => windows.reduce((all, window) => all + window.stats()[way], 0)
  return { up: sum('bytesUp'), down: sum('bytesDown') }
}

type Replay = Rounds<ReplayParams, ReplayData>

const labelOf = ({ lane }: Pick<Trial, 'lane'>): string => transportLabels[lane as TransportId]
const isEqual = ({ equal }: ReplayData): boolean => equal.windows && equal.store
const perTransaction = (name: string, unit: string, digits: number, of: (data: ReplayData) => number) =>
  metric<ReplayData, ReplayParams>(name, unit, (data, { params }) => of(data) / params.transactions, {
    digits,
  })
const pace = metric<ReplayData, ReplayParams>(
  'transactions a second',
  '',
  ({ seconds }, { params }) => params.transactions / seconds,
  { digits: 0, better: 'more' },
)

function report(all: Replay): SectionDeclaration {
  const rows = all.by(labelOf)
  const different = all.filter(({ data }) => !isEqual(data)).outcomes
  const aims = [
    {
      name: 'texts that differ from the trace',
      measured: different.length,
      limit: 0,
      unit: 'texts',
      reason: becauseLost(different.map(whereDifferent)),
    },
  ]
  return {
    method:
      'Two clients in Node type the concurrent trace “friendsforever” as it was recorded: each builds on exactly what its author had seen, and waits until that has come over the wire. The text must end as the trace does, in both windows and in the store.',
    tables: [
      table(
        'The trace by each transport',
        rows,
        [
          { name: 'transactions', digits: 0, of: ({ params }) => params!.transactions },
          metric('seconds', 's', ({ seconds }) => seconds, { digits: 1 }),
          pace,
          perTransaction('server CPU a transaction', 'µs', 0, ({ serverCpuMs }) => serverCpuMs * 1000),
          perTransaction('up a transaction', 'B', 1, ({ bytes }) => bytes.up),
          perTransaction('down a transaction', 'B', 1, ({ bytes }) => bytes.down),
          { name: 'text is the trace’s', of: ({ data }) => (data.every(isEqual) ? 'yes' : 'no') },
        ],
        {
          head: 'transport',
          note: 'Bytes are of frames, of both windows together: what HTTP and TLS put around them is in the scenario payload.',
        },
      ),
    ],
    charts: [bars('The trace by each transport', rows, [pace], { unit: pace.name, scale: 'log' })],
    aims,
    headlines: [
      {
        what: 'Two people’s recorded typing, replayed by every transport',
        ours: `${different.length === 0 ? 'equal to the trace by each' : `${different.length} differ`}${partWords(all)}`,
        aims,
      },
    ],
    notes: [
      'Where a part of the trace was typed, as by polling, the text is compared with what the same part makes in one process.',
    ],
  }
}

function whereDifferent({ trial, data: { equal } }: Replay['outcomes'][number]): string {
  const places = [...(equal.windows ? [] : ['a window']), ...(equal.store ? [] : ['the store'])]
  return `${labelOf(trial)}, round ${trial.round}: ${places.join(' and ')}`
}

/** `; Polling played its first 10 %`: what was not the whole of what others played is not said to be. */
function partWords(all: Replay): string {
  const most = all.most((_data, { params }) => params.transactions)
  return all
    .filter(({ trial: { params } }) => params.transactions < most)
    .each(
      (trial) =>
        `; ${labelOf(trial)} played its first ${plain((100 * trial.params.transactions) / most, 0)} %`,
    )
    .join('')
}
