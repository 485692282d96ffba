/**
 * `npm run trust`: installs the local authority, so that browsers and programs of this computer trust the certificate of the local
 * address, or removes it again. Prints each command before it runs.
 */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { prepareDataFolder } from '../server/data-folder.ts'
import { authorityFile, authorityPath } from '../server/certificate.ts'
import { readConfig } from '../server/config.ts'
import { readCommandLine, readOrExit } from './command-line.ts'
import type { Authority, SystemCommand, Machine } from './trust-plan.ts'
import { planRemoval, planTrust } from './trust-plan.ts'

const USAGE = `Usage: npm run trust -- [--remove] [--show]
Makes this computer trust the certificates of this server: installs DATA_DIR/tls/authority.pem in the system, and in the list of
Chromium and Chrome on Linux. It prints each command before it runs, and asks for your password where the system wants it (sudo).
  --remove   takes it out of these lists again
  --show     only prints the commands`

const options = {
  remove: { type: 'boolean', default: false },
  show: { type: 'boolean', default: false },
} as const

const { remove, show } = readOrExit(() => readCommandLine({ usage: USAGE, options })).values

await main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})

async function main(): Promise<void> {
  const { dataDir } = readConfig(process.env)
  if (!remove && !show) {
    await prepareDataFolder(dataDir)
    await authorityFile(dataDir)
  }
  const authority = readAuthority(authorityPath(dataDir))
  const plan = remove ? planRemoval(authority, readMachine()) : planTrust(authority, readMachine())
  console.log(describeAuthority(authority))
  const failed = plan.commands.filter((command) => !runSystemCommand(command))
  for (const note of plan.notes) console.log(`- ${note}`)
  if (failed.length > 0) process.exitCode = 1
}

function readAuthority(file: string): Authority {
  if (!existsSync(file)) return { file, sha1: null }
  return { file, sha1: new X509Certificate(readFileSync(file)).fingerprint.replaceAll(':', '') }
}

function describeAuthority({ file, sha1 }: Authority): string {
  return sha1 === null
    ? `There is no local authority at ${file}: the first start makes one.`
    : `The local authority is ${file}; its key, beside it, never leaves this computer.`
}

function runSystemCommand([program, ...parameters]: SystemCommand): boolean {
  console.log(`${show ? 'Would run' : 'Running'}: ${program} ${parameters.join(' ')}`)
  if (show) return true
  const { status, error } = spawnSync(program, parameters, { stdio: 'inherit' })
  if (status === 0) return true
  console.error(error ? `It could not be run: ${error.message}` : `It ended with code ${status}.`)
  return false
}

function readMachine(): Machine {
  return {
    platform: process.platform,
    home: process.env.HOME ?? '',
    isRoot: process.getuid?.() === 0,
    has: (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
    exists: existsSync,
    succeeds: ([program, ...parameters]) => spawnSync(program, parameters).status === 0,
  }
}
