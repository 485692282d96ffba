/** Five windows type into one document, and each changes its transport every 200 ms. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import { readStoredDocument } from '../../server/fixtures/real-server.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { join } from 'node:path'
import { Typists } from '../clients/typists.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'
import { type Data, reportOf } from './switch-report.ts'

const WINDOWS = 5
const SWITCH_EVERY_MS = 200
const QUIET_MS = 5_000
const PATIENCE_MS = 30_000

const ids = [...transports.keys()]

const options = {
  seconds: number('of switching; a third as many of calm come before it', 30, 2, 3_600),
  pace: number('ms between one window’s letters', 50, 5, 5_000),
  rounds: number('rounds', 3, 1, 100),
}

export const switching = scenario<typeof options, Record<string, never>, Data>({
  name: 'switch',
  sentence: 'Five windows type, each changing its transport every 200 ms: the longest gap, lost, doubled.',
  options,
  quick: { seconds: '5', rounds: '1' },
  plan: ({ rounds }) =>
    interleaved(rounds, ['every transport']).map(({ round, item }) => ({
      subject: 'diptych',
      lane: item,
      params: {},
      round,
    })),
  estimate: (_trial, { seconds }) => 5 + seconds * 1.4,
  async run(_trial, ctx, { seconds, pace }) {
    const server = await ctx.startServer(diptych())
    const document = await createSharedDocument(server.plainOrigin)
    const windows = Array.from({ length: WINDOWS }, (_, index) =>
      openDocument({
        url: server.origin,
        document: document.id,
        token: document.tokens.editor,
        transport: ids[index % ids.length]!,
        insecure: true,
      }),
    )
    ctx.defer(() => closeAll(windows))
    await Promise.all(windows.map(({ whenSynced }) => whenSynced))
    const typists = new Typists(windows)
    await untilQuiet(QUIET_MS)
    const stop = new AbortController()
    const typing = typists.type(pace, AbortSignal.any([stop.signal, ctx.signal]))
    await sleep(seconds * 333)
    const since = performance.now()
    const took = await ctx.measure(() => switchAll(windows, seconds * 1000))
    stop.abort()
    await typing
    // What is missing then is counted below.
    await typists.arrived(PATIENCE_MS)
    const journeys = typists.journeys()
    const whileSwitching = typists.journeys(since)
    const figures = {
      tokens: typists.typed,
      calm: journeys.filter(({ at }) => at < since).map(({ ms }) => ms),
      switching: whileSwitching.map(({ ms }) => ms),
      gaps: windows.map((_window, to) => longestGap(whileSwitching, to, pace)),
      unlinked: windows.map((window) => window.stats().longestGapMs),
      switches: windows.reduce((sum, window) => sum + window.stats().switches, 0),
      took,
    }
    await closeAll(windows)
    await server.stop()
    const stored = await readStoredDocument(join(server.dataDir, 'diptych.sqlite'), document.id)
    return { ...figures, ...typists.check([stored.getText('typed').toJSON()]) }
  },
  report: (outcomes) => reportOf(outcomes),
})

async function closeAll(windows: readonly OpenDocument[]): Promise<void> {
  await Promise.all(windows.map((window) => window.close()))
}

async function switchAll(windows: readonly OpenDocument[], forMs: number): Promise<number[]> {
  const until = performance.now() + forMs
  const took = await Promise.all(windows.map((window, index) => switchOver(window, index, until)))
  return took.flat()
}

/** The next switch comes 200 ms after the last, or when that is done. They begin one after the other, a step apart. */
async function switchOver(window: OpenDocument, index: number, until: number): Promise<number[]> {
  const took: number[] = []
  await sleep((SWITCH_EVERY_MS / WINDOWS) * index)
  for (let next = index + 1; performance.now() < until; next++) {
    const startedAt = performance.now()
    await Promise.all([
      window.switchTransport(ids[next % ids.length]!).then(() => took.push(performance.now() - startedAt)),
      sleep(SWITCH_EVERY_MS),
    ])
  }
  return took
}

function longestGap(
  journeys: readonly { readonly to: number; readonly at: number }[],
  to: number,
  pace: number,
): number {
  const times = journeys
    .filter((journey) => journey.to === to)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b)
  const longest = times.reduce((most, at, index) => Math.max(most, at - (times[index - 1] ?? at)), 0)
  return Math.max(0, longest - pace / (WINDOWS - 1))
}
