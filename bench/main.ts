/** The benchmarks: `npm run bench` and what it can be asked. Which there are: scenarios/all.ts. */
import { bench } from './run/bench-command.ts'
import { commands } from './run/commands.ts'
import { scenarios } from './scenarios/all.ts'
import { UsageError } from './support/options.ts'

function fail(error: unknown): void {
  process.exitCode = 1
  if (error instanceof UsageError) console.error(`${error.message}\n\nnpm run bench -- --help tells more.`)
  else console.error(error)
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name ?? '']
await (command ? command(scenarios, args) : bench(scenarios, process.argv.slice(2))).catch(fail)
