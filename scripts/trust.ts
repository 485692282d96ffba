/**
 * Installs the local authority, so that browsers and programs of this computer trust the certificate of the local address. Prints
 * each command before it runs; `npm run trust -- --show` only prints.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { prepareDataFolder } from '../server/data-folder.ts'
import { authorityFile } from '../server/certificate.ts'
import { readConfig } from '../server/config.ts'
import type { SystemCommand, Machine } from './trust-plan.ts'
import { planTrust } from './trust-plan.ts'

const showOnly = process.argv.includes('--show')

await trust().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})

async function trust(): Promise<void> {
  const { dataDir } = readConfig(process.env)
  await prepareDataFolder(dataDir)
  const authority = await authorityFile(dataDir)
  const plan = planTrust(authority, readMachine())
  console.log(`The local authority is ${authority}; its key, beside it, never leaves this computer.`)
  const failed = plan.commands.filter((command) => !runSystemCommand(command))
  for (const note of plan.notes) console.log(`- ${note}`)
  if (failed.length > 0) process.exitCode = 1
}

function runSystemCommand([program, ...parameters]: SystemCommand): boolean {
  console.log(`${showOnly ? 'Would run' : 'Running'}: ${program} ${parameters.join(' ')}`)
  return showOnly || spawnSync(program, parameters, { stdio: 'inherit' }).status === 0
}

function readMachine(): Machine {
  return {
    platform: process.platform,
    home: process.env.HOME ?? '',
    isRoot: process.getuid?.() === 0,
    has: (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
    exists: existsSync,
  }
}
