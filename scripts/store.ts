/** `npm run store -- …`: moves, backs up and restores what a server keeps (docs/operations/moving.md). */
import { readConfig, SettingError } from '../server/config.ts'
import { EXIT } from '../server/exit-codes.ts'
import { runStoreCommand } from '../server/store/moving/store-command.ts'
import { UsageError } from '../server/usage-error.ts'

try {
  const config = readConfig(process.env)
  await runStoreCommand(config, process.argv.slice(2), { terminal: process.stderr, print: console.log })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = error instanceof SettingError || error instanceof UsageError ? EXIT.setting : EXIT.failed
}
