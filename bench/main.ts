/** `npm run bench`: runs scenarios, which scenarios/registry.ts lists, or one of the commands that read finished runs. */
import { runBench } from './run/bench-command.ts'
import { commands } from './run/report-commands.ts'
import { scenarios } from './scenarios/registry.ts'
import { UsageError } from '../server/usage-error.ts'

function fail(error: unknown): void {
  process.exitCode = 1
  if (error instanceof UsageError)
    console.error(`${error.message}\n\nnpm run bench -- --help lists all options.`)
  else console.error(error)
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name ?? '']
await (command ? command(scenarios, args) : runBench(scenarios, process.argv.slice(2))).catch(fail)
