/** What a window more costs: its way to being usable, an edit's way into it, and the window that is typed in. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { panelIds } from '../../lib/windows/panels.ts'
import { launch } from '../support/browser.ts'
import { loadNow, surroundings } from '../support/machine.ts'
import { number, scenario, someOf, type Values } from '../support/options.ts'
import { startProcess } from '../support/process.ts'
import { resultsFolder, writeResult } from '../support/results.ts'
import { typeBeside, type Typing } from '../windows/beside.ts'
import { openCold, type Opening } from '../windows/opening.ts'
import { newDocument, type World } from '../windows/world.ts'
import { reportOf } from './windows-report.ts'

/** A panel with an editor in it weighs as much as the text's own page. */
const withoutEditor = panelIds.filter((id) => id !== 'editor')

const options = {
  rounds: number('rounds; their order alternates', 5, 1, 100),
  keys: number('keys typed in each trial', 150, 10, 10_000),
  interval: number('ms between keys', 60, 10, 5_000),
  panels: someOf('panels opened', panelIds, withoutEditor),
}

export const manyWindows = scenario({
  name: 'windows',
  sentence: 'Panel windows: time and script until usable, an edit into them, and what eight cost the typist.',
  options,
  run,
})

async function run(values: Values<typeof options>): Promise<void> {
  await mkdir(resultsFolder, { recursive: true })
  const folder = await mkdtemp(join(resultsFolder, 'data-'))
  const server = await startProcess(serverArgs, envOf(folder))
  const { browser, writer } = await launch()
  try {
    const at = surroundings(browser.version())
    const loadBefore = loadNow()
    const document = await newDocument(writer, server.origin)
    const world: World = { browser, origin: server.origin, document, cookies: await writer.cookies() }
    const openings: Opening[] = []
    const typings: Typing[] = []
    for (let round = 1; round <= values.rounds; round++) {
      const inTurn = <Item>(items: readonly Item[]) => (round % 2 === 1 ? items : items.toReversed())
      for (const what of inTurn(['main', ...values.panels] as const))
        openings.push(await openCold(world, what))
      for (const others of inTurn([0, 1, 8])) typings.push(await typeBeside(world, others, round, values))
      console.log(`round ${round}/${values.rounds} done, load ${loadNow().toFixed(1)}`)
    }
    const report = reportOf({ at, loadBefore, openings, typings })
    console.log(`\n${report.text}`)
    console.log(`\nRaw samples: ${await writeResult('windows', report.result)}`)
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const serverArgs = ['--import', './server/require-node.js', 'server/main.ts']

const envOf = (dataDir: string) => ({
  HOST: '127.0.0.1',
  PORT: '0',
  HTTPS_PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
})
