/** The program: reads the settings, starts, says where, and ends on a signal. `--dev` compiles pages as they are asked for. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isWildcard, namesOf, inUrl } from './addresses.ts'
import type { Config } from './config.ts'
import { readConfig, SettingError } from './config.ts'
import { createLog } from './log.ts'
import { isBuilt, projectFolder } from './page-build.ts'
import type { RunningServer } from './server.ts'

/** A drain ends by itself before; this is for the unforeseen. */
const EXIT_AFTER_MS = 9500

const dev = process.argv.includes('--dev')

/** The API and the gateways alone. */
const pages = !process.argv.includes('--no-pages')

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  // Next and React read it while they load, so it is set before the server is imported.
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })
  const { startServer } = await import('./server.ts')
  const server = await startServer(config, { log, dev, pages, prepare: buildWhenNeeded })
  endOnSignals(server, log)
  console.log(addressLines(config, server).join('\n'))
}

async function buildWhenNeeded(): Promise<void> {
  if (dev || !pages || (await isBuilt())) return
  const script = join(projectFolder, 'scripts/build.ts')
  const child = spawn(process.execPath, [script], { cwd: projectFolder, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the pages could not be built; the lines above say why.')
}

function endOnSignals(server: RunningServer, log: Logger): void {
  let ending = false
  const end = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(1)
    ending = true
    log.info({ signal }, 'draining')
    setTimeout(() => process.exit(0), EXIT_AFTER_MS).unref()
    void server.drain().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

function addressLines(config: Config, { http, https, localCertificate }: RunningServer): string[] {
  const { port } = new URL(https)
  const elsewhere = isWildcard(config.host) ? namesOf(config).filter((name) => !isLocalName(name)) : []
  return [
    '',
    'Diptych is ready.',
    ...(config.publicUrl ? [`  ${config.publicUrl}`] : []),
    `  ${https}   HTTP/2${localCertificate ? ', with a certificate made here: npm run trust installs its authority' : ''}`,
    `  ${http}    HTTP/1.1, for this computer alone`,
    ...elsewhere.map((name) => `  https://${inUrl(name)}:${port}`),
    `  Documents are in ${config.dataDir}. Ctrl+C ends.`,
    '',
  ]
}

const isLocalName = (name: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(name)

/** One sentence. */
function failToStart(error: unknown): never {
  const sentence = error instanceof Error ? error.message : String(error)
  console.error(error instanceof SettingError ? sentence : `Diptych could not start: ${sentence}`)
  process.exit(1)
}

/** A fault of the program itself: its state is unknown, so it ends, and the stack is what mends it. */
function fallOver(error: unknown): never {
  console.error('Diptych met a fault and ends:', error)
  process.exit(1)
}

process.on('uncaughtException', fallOver)
process.on('unhandledRejection', fallOver)
await main().catch(failToStart)
