/** The program: reads the settings, starts, prints its addresses, and ends on a signal. `--dev` compiles pages on request. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { format } from 'node:util'
import type { Logger } from 'pino'
import { isWildcard, serverNamesOf, hostInUrl } from './server-addresses.ts'
import type { Config } from './config.ts'
import { findUnknownLimits, readConfig, SettingError } from './config.ts'
import { EXIT } from './exit-codes.ts'
import { createLogger, redactSecrets } from './logger.ts'
import { arePagesBuilt, PagesNotBuilt, projectFolder } from './page-build.ts'
import type { RunningServer } from './server.ts'
import { listenToSupervisor, sendReady } from './supervisor-channel.ts'

/** A drain that takes longer, since several of its steps hang, is cut off. */
const EXIT_AFTER_MS = 9500

const dev = process.argv.includes('--dev')

/** `--no-pages` serves the API and the gateways alone. */
const pages = !process.argv.includes('--no-pages')

/** Exits at once until there is something to drain. */
let endProgram = (_why: string): void => process.exit(EXIT.ended)

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLogger(config)
  for (const setting of findUnknownLimits(process.env))
    log.warn({ setting }, 'there is no setting of this name, and its value is ignored')
  // Next and React read these while they load, so they are set before the server is imported.
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })
  const { startServer } = await import('./server.ts')
  const { openTracing } = await import('./tracing/open-tracing.ts')
  const tracing = await openTracing(config, log)
  const server = await startServer(config, { log, dev, pages, prepare: buildWhenNeeded, tracing })
  endOnSignals(server, log)
  console.log(addressLines(config, server, await describePlace(config)).join('\n'))
  sendReady()
}

async function buildWhenNeeded(): Promise<void> {
  if (dev || !pages || (await arePagesBuilt())) return
  const script = join(projectFolder, 'scripts/build.ts')
  const child = spawn(process.execPath, [script], { cwd: projectFolder, stdio: 'inherit' })
  process.once('exit', () => child.kill())
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new PagesNotBuilt()
}

function endOnSignals(server: RunningServer, log: Logger): void {
  let isEnding = false
  endProgram = (why) => {
    if (isEnding) return
    isEnding = true
    log.info({ signal: why }, 'draining')
    setTimeout(() => process.exit(EXIT.ended), EXIT_AFTER_MS).unref()
    void server.drain().then(() => process.exit(EXIT.ended))
  }
  let signals = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    signals += 1 // a terminal signals the supervisor, too, which passes it on
    if (signals > 1) process.exit(EXIT.failed)
    endProgram(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** Shows no password. */
async function describePlace({ dataDir, databaseUrl }: Config): Promise<string> {
  if (databaseUrl === null) return dataDir
  const { withoutSecrets } = await import('./store/postgres/connections.ts')
  return `${withoutSecrets(databaseUrl)}, the secret and the certificate in ${dataDir}`
}

function addressLines(
  config: Config,
  { http, https, localCertificate }: RunningServer,
  place: string,
): string[] {
  const { port } = new URL(https)
  const networkNames = isWildcard(config.host)
    ? serverNamesOf(config).filter((name) => !isLocalName(name))
    : []
  return [
    '',
    'Diptych is ready.',
    ...(config.publicUrl ? [`  ${config.publicUrl}`] : []),
    `  ${https}   HTTP/2${localCertificate ? ', with a certificate made here: npm run trust installs its authority' : ''}`,
    `  ${http}    HTTP/1.1, for this computer alone`,
    ...networkNames.map((name) => `  https://${hostInUrl(name)}:${port}`),
    `  Documents are in ${place}. Ctrl+C ends.`,
    '',
  ]
}

const isLocalName = (name: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(name)

/** Prints one sentence. */
function exitFailedStart(error: unknown): never {
  const sentence = error instanceof Error ? error.message : String(error)
  if (error instanceof SettingError) {
    console.error(sentence)
    process.exit(EXIT.setting)
  }
  console.error(`Diptych could not start: ${sentence}`)
  process.exit(error instanceof PagesNotBuilt ? EXIT.setting : EXIT.failed)
}

/**
 * Ends the process on a fault that no room, session or request contained: what it left half done is unknown, and the stack in the
 * log helps to fix it. What was reported as saved is on disk, and windows reconnect to the next process.
 */
function exitOnFault(cause: string, error: unknown): never {
  const sentence = `Diptych met a fault that it cannot survive, ${cause}, and ends with code ${EXIT.fault}:`
  console.error(redactSecrets(format(sentence, error)))
  process.exit(EXIT.fault)
}

process.on('uncaughtException', (error) => exitOnFault('an exception that nobody caught', error))
process.on('unhandledRejection', (error) => exitOnFault('a rejection that nobody awaited', error))
listenToSupervisor((why) => endProgram(why))
await main().catch(exitFailedStart)
