/** Replays the recorded typing of two people at the same time, over every transport. The text must end as the trace does. */
import type * as Y from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import { expectedTextOf, replayTrace, traceTextOf } from '../../server/fixtures/replay-trace.ts'
import { readTrace, tracesFolder } from '../../server/fixtures/traces.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { startWithWindows } from '../clients/own-clients.ts'
import { formatFixed } from '../report/format-figures.ts'
import { metric, type Rounds } from '../report/metrics.ts'
import { neverAim, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { untilQuiet } from '../support/machine.ts'
import { number, type Values } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'

/** By polling only this share of the trace is replayed: each turn between the two waits for a poll, and the whole would take ten minutes. */
const POLLED_SHARE = 0.1

type ReplayParams = { readonly transactions: number }

interface ReplayData {
  readonly seconds: number
  /** Whether the texts equal the one that the replayed part of the trace ends with. */
  readonly equal: { readonly windows: boolean; readonly store: boolean }
  readonly serverCpuMs: number
  /** The bytes of the frames of both windows together. */
  readonly bytes: { readonly up: number; readonly down: number }
}

const options = {
  transactions: number(
    'transactions of the trace friendsforever, which has 26,078; by polling a tenth of them',
    26_078,
    100,
    26_078,
  ),
}

export const replayScenario = scenario<typeof options, ReplayParams, ReplayData>({
  name: 'replay',
  sentence: 'Replays the recorded typing of two people over each transport; needs TRACES_DIR.',
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
  const rows = all.groupBy(labelOf)
  const different = all.filter(({ data }) => !isEqual(data)).outcomes
  const aims = [
    neverAim('texts that differ from the trace', 'texts', different.length, different.map(differencePlace)),
  ]
  return {
    method:
      'Two clients in Node type the concurrent trace “friendsforever” as it was recorded. Each builds on exactly what its author had seen, and waits until that has arrived. The text must end as the trace does, in both windows and in the store.',
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
          note: 'Bytes are those of the frames of both windows together. The scenario payload counts what HTTP and TLS put around them.',
        },
      ),
    ],
    charts: [barChart('The trace by each transport', rows, [pace], { unit: pace.name, scale: 'log' })],
    aims,
    headlines: [
      {
        what: 'Two people’s recorded typing, replayed by every transport',
        ours: `${different.length === 0 ? 'equal to the trace by each' : `${different.length} differ`}${partText(all)}`,
        aims,
      },
    ],
    notes: [
      'If only a part of the trace was typed, as by polling, the text is compared with the text that the same part makes in one process.',
    ],
  }
}

function differencePlace({ trial, data: { equal } }: Replay['outcomes'][number]): string {
  const places = [...(equal.windows ? [] : ['a window']), ...(equal.store ? [] : ['the store'])]
  return `${labelOf(trial)}, round ${trial.round}: ${places.join(' and ')}`
}

/** `; Polling played its first 10 %`, for lanes that did not replay the whole trace. */
function partText(all: Replay): string {
  const most = all.max((_data, { params }) => params.transactions)
  return all
    .filter(({ trial: { params } }) => params.transactions < most)
    .distinct(
      (trial) =>
        `; ${labelOf(trial)} played its first ${formatFixed((100 * trial.params.transactions) / most, 0)} %`,
    )
    .join('')
}
