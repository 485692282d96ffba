/** The benchmarks: `npm run bench -- NAME [options]`. Adding one adds a file under scenarios/ and a word here. */
import { keystrokes } from './scenarios/keystrokes.ts'
import { badNetworks } from './scenarios/networks.ts'
import { manyWindows } from './scenarios/windows.ts'
import { websocketH2 } from './scenarios/websocket-h2.ts'
import { usage, UsageError } from './support/options.ts'

const scenarios = [keystrokes, badNetworks, websocketH2, manyWindows]

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === '--help') return console.log(usage(scenarios))
  const scenario = scenarios.find((known) => known.name === name)
  if (!scenario) throw new UsageError(name ? `There is no benchmark "${name}".` : 'Which benchmark?')
  await scenario.start(args)
}

function fail(error: unknown): void {
  process.exitCode = 1
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage(scenarios)}`)
  else console.error(error)
}

await main(process.argv.slice(2)).catch(fail)
