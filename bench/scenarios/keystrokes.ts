/**
 * One window types real key events into the real editor, another shows it. Beside it a bare relay carries the same frames in the
 * same browser in the same run, and the disk syncs alone: what is left between is ours.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import prepare from '../../e2e/support/prepare.ts'
import { startProduct } from '../diptych/subject.ts'
import { recordFrames } from '../relay/frames.ts'
import { startRelay } from '../relay/subject.ts'
import { launch } from '../support/browser.ts'
import type { Windows } from '../support/browser.ts'
import { measureFsync } from '../support/fsync.ts'
import { laneNames, lanes } from '../support/lanes.ts'
import { loadNow, surroundings } from '../support/machine.ts'
import { number, scenario, someOf } from '../support/options.ts'
import type { Values } from '../support/options.ts'
import { resultsFolder, writeResult } from '../support/results.ts'
import { summarise } from '../support/stats.ts'
import type { Subject } from '../support/subject.ts'
import type { Trial } from '../support/trial.ts'
import { runTrial } from '../support/trial.ts'
import { reportOf } from './keystrokes-report.ts'

const WARM_UP_KEYS = 40
const FSYNCS_A_ROUND = 200
const PACED_FSYNCS_A_ROUND = 50

const options = {
  keys: number('keystrokes of a trial, after the warm-up', 200, 10, 10_000),
  rounds: number('rounds; the order within them alternates: A B, B A', 4, 1, 100),
  interval: number('ms between keys, on average; each is 0.5 to 1.5 of it', 100, 5, 5_000),
  lanes: someOf(`ways to measure: ${laneNames.join(', ')}`, laneNames, [
    'websocket',
    'sse',
    'stream',
    'sse-posts',
    'stream-posts',
  ]),
}

export const keystrokes = scenario({
  name: 'keystrokes',
  sentence: 'One writer, another window: from key to sent, applied, painted and saved.',
  options,
  run,
})

async function run(values: Values<typeof options>): Promise<void> {
  console.log(planOf(values))
  await prepare()
  await mkdir(resultsFolder, { recursive: true })
  // On the disk of the checkout, as ./data is: a temporary folder may be memory.
  const folder = await mkdtemp(join(resultsFolder, 'data-'))
  const windows = await launch()
  try {
    await measure(values, windows, folder)
  } finally {
    await windows.browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(values: Values<typeof options>, windows: Windows, folder: string): Promise<void> {
  const at = surroundings(`Chromium ${windows.browser.version()}`)
  const loadBefore = loadNow()
  const product = await startProduct(windows, folder)
  const frames = await recordFrames(windows, product)
  const relay = await startRelay(windows, folder, frames)
  try {
    const fsyncs: number[] = []
    const pacedFsyncs: number[] = []
    const betweenRounds = async () => {
      fsyncs.push(...(await measureFsync(folder, FSYNCS_A_ROUND, 0)))
      pacedFsyncs.push(...(await measureFsync(folder, PACED_FSYNCS_A_ROUND, values.interval)))
    }
    const trials = await playRounds(values, [product, relay], betweenRounds)
    const report = reportOf({ values, at, loadBefore, frames, fsyncs, pacedFsyncs, trials })
    console.log(`\n${report.text}`)
    console.log(`\nRaw samples: ${await writeResult('keystrokes', report.result)}`)
  } finally {
    await product.stop()
    await relay.stop()
  }
}

async function playRounds(
  { rounds, lanes: wanted, keys, interval }: Values<typeof options>,
  subjects: readonly Subject[],
  betweenRounds: () => Promise<void>,
): Promise<Trial[]> {
  const trials: Trial[] = []
  for (let round = 1; round <= rounds; round++) {
    await betweenRounds()
    const order = round % 2 === 1 ? subjects : subjects.toReversed()
    for (const lane of wanted) {
      for (const subject of order) {
        const trial = await runTrial(subject, {
          round,
          lane,
          keys,
          warmUp: WARM_UP_KEYS,
          intervalMs: interval,
        })
        trials.push(trial)
        console.log(progressOf(trial, rounds))
      }
    }
  }
  return trials
}

function planOf({ keys, rounds, interval, lanes: wanted }: Values<typeof options>): string {
  const seconds = (wanted.length * 2 * rounds * ((keys + WARM_UP_KEYS) * interval + 3_000)) / 1000
  return [
    `keystrokes: ${keys} keys after ${WARM_UP_KEYS} to warm up, ${interval} ms apart on average, ${rounds} rounds,`,
    `each with Diptych and a bare relay that carries the same frames; two windows of one Chromium.`,
    ...wanted.map((name) => `  ${name.padEnd(12)} ${lanes[name].words}`),
    `About ${Math.ceil(seconds / 60)} minutes.`,
    '',
  ].join('\n')
}

function progressOf({ round, lane, subject, keys, load }: Trial, rounds: number): string {
  const { p50, p99 } = summarise(keys.map(({ sent, applied }) => applied - sent))
  const figures = `sent → applied p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`
  return `round ${round}/${rounds}  ${lane.padEnd(12)} ${subject.padEnd(8)} ${figures}   load ${Math.round(load * 100)} %`
}
