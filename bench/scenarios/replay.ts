/** Two people's recorded typing at the same time, over every transport: the text ends as the trace does. */
import { join } from 'node:path'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import { readStoredDocument } from '../../server/fixtures/real-server.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { expectedTextOf, replayTrace, traceTextOf } from '../../server/fixtures/replay-trace.ts'
import { readTrace, type Trace, tracesFolder } from '../../server/fixtures/traces.ts'
import { untilQuiet } from '../support/machine.ts'
import { number, type Values } from '../support/options.ts'
import { interleaved, scenario, type Trial } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'
import { type Params, type Data, reportOf } from './replay-report.ts'

const QUIET_MS = 5_000
/** A turn between the two waits for a poll: the whole of the trace would take ten minutes. */
const POLLED_SHARE = 0.1

const options = {
  transactions: number(
    'of the trace friendsforever, which has 26,078; of them a tenth by polling',
    26_078,
    100,
    26_078,
  ),
  rounds: number('rounds; the order within them alternates: A B, B A', 1, 1, 100),
}

export const replaying = scenario<typeof options, Params, Data>({
  name: 'replay',
  sentence: 'Recorded typing of two people at the same time over each transport; needs TRACES_DIR.',
  options,
  quick: { transactions: '1000' },
  plan,
  estimate: ({ lane, params: { transactions } }) => 4 + transactions * (lane === 'poll' ? 0.03 : 0.0015),
  async run({ lane, params: { transactions } }, ctx) {
    const trace = readTrace('friendsforever')
    const server = await ctx.startServer(diptych())
    const { id, tokens } = await createSharedDocument(server.plainOrigin)
    const open = (): OpenDocument =>
      openDocument({
        url: server.origin,
        document: id,
        token: tokens.editor,
        transport: lane as TransportId,
        insecure: true,
      })
    const windows = [open(), open()] as const
    ctx.defer(() => closeAll(windows))
    await Promise.all(windows.map(({ whenSynced }) => whenSynced))
    await untilQuiet(QUIET_MS)
    const before = await server.usage()
    const startedAt = performance.now()
    await ctx.measure(() => replayTrace(windows, trace, transactions))
    const seconds = (performance.now() - startedAt) / 1000
    const serverCpuMs = (await server.usage()).cpuMs - before.cpuMs
    const bytes = bytesOf(windows)
    await closeAll(windows)
    await server.stop()
    const stored = await readStoredDocument(join(server.dataDir, 'diptych.sqlite'), id)
    const texts = [...windows.map(({ doc }) => doc), stored].map((doc) => traceTextOf(doc).toJSON())
    return { seconds, serverCpuMs, bytes, ...comparison(trace, transactions, texts) }
  },
  report: (outcomes) => reportOf(outcomes),
})

function plan({ rounds, transactions }: Values<typeof options>): Trial<Params>[] {
  if (!tracesFolder) return []
  const items = [...transports.keys()].map((lane) => ({
    lane,
    transactions: Math.round(lane === 'poll' ? transactions * POLLED_SHARE : transactions),
  }))
  return interleaved(rounds, items).map(({ round, item: { lane, transactions: count } }) => ({
    subject: 'diptych',
    lane,
    params: { transactions: count },
    round,
  }))
}

async function closeAll(windows: readonly OpenDocument[]): Promise<void> {
  await Promise.all(windows.map((window) => window.close()))
}

function bytesOf(windows: readonly OpenDocument[]): Data['bytes'] {
  const sum = (way: 'bytesUp' | 'bytesDown') => windows.reduce((all, window) => all + window.stats()[way], 0)
  return { up: sum('bytesUp'), down: sum('bytesDown') }
}

function comparison(trace: Trace, transactions: number, [ada, bob, store]: readonly string[]) {
  const end = expectedTextOf(trace, transactions)
  const wholeTrace = transactions === trace.txns.length
  return {
    equal: { windows: ada === end && bob === end, store: store === end, wholeTrace },
    letters: end.length,
  }
}
