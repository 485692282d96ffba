/** What a bad network costs: the way to a working link, a switch in the middle of writing, and coming back after a cut. */
import { mkdir } from 'node:fs/promises'
import type { TransportId } from '../../lib/transports/transport.ts'
import { measureOpening, networkNames, networks, type Opening } from '../networks/opening.ts'
import { measureResuming, type Resuming } from '../networks/resuming.ts'
import { measureSwitching, type Switching } from '../networks/switching.ts'
import { World } from '../networks/world.ts'
import { loadNow, surroundings } from '../support/machine.ts'
import { number, scenario } from '../support/options.ts'
import type { Values } from '../support/options.ts'
import { resultsFolder, writeResult } from '../support/results.ts'
import { reportOf } from './networks-report.ts'

const options = {
  rounds: number('rounds; their order alternates', 5, 1, 100),
  delay: number('ms each byte travels one way while transports are switched', 25, 0, 1_000),
  switches: number('switches of a round', 20, 1, 1_000),
  document: number('bytes of the document that a window has when it is cut off', 100_000, 1, 1_000_000),
}

export const badNetworks = scenario({
  name: 'networks',
  sentence: 'Behind bad proxies: time to a working link; a switch while typing; bytes to resume after a cut.',
  options,
  run,
})

const switched: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll']
const resumed: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll', 'poll']

async function run(values: Values<typeof options>): Promise<void> {
  console.log(planOf(values))
  await mkdir(resultsFolder, { recursive: true })
  const at = surroundings('no browser: clients in Node')
  const loadBefore = loadNow()
  await using world = await World.start()
  const openings: Opening[] = []
  const switchings: Switching[] = []
  const resumings: Resuming[] = []
  for (let round = 1; round <= values.rounds; round++) {
    const inTurn = <Item>(items: readonly Item[]) => (round % 2 === 1 ? items : items.toReversed())
    for (const network of inTurn(networkNames)) openings.push(await measureOpening(world, network))
    switchings.push(
      await measureSwitching(world, {
        delayMs: values.delay,
        ways: inTurn(switched),
        switches: values.switches,
      }),
    )
    for (const transport of inTurn(resumed))
      for (const scheme of inTurn(['http', 'https'] as const))
        resumings.push(await measureResuming(world, { transport, scheme, documentBytes: values.document }))
    console.log(`round ${round}/${values.rounds} done, load ${loadNow().toFixed(1)}`)
  }
  const report = reportOf({ at, loadBefore, openings, switchings, resumings })
  console.log(`\n${report.text}`)
  console.log(`\nRaw samples: ${await writeResult('networks', report.result)}`)
}

function planOf({ rounds, delay, switches, document }: Values<typeof options>): string {
  const seconds = rounds * (15 + switches * 0.6 + resumed.length * 2 * 2)
  return [
    `networks: ${rounds} rounds of`,
    ...networkNames.map((name) => `  opening on a network that ${networks[name].words}`),
    `  ${switches} switches among ${switched.join(', ')} while a letter is written every 20 ms, ${delay} ms away each way`,
    `  a cut, by each transport, of a window that has ${document} bytes of text`,
    `About ${Math.ceil(seconds / 60)} minutes.`,
    '',
  ].join('\n')
}
