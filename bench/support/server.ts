/** Starts the servers that are measured, each in a process of its own. */
import { settings } from '../../server/settings.ts'
import manifest from '../../package.json' with { type: 'json' }
import { awaitOutput, startChild } from '../../server/fixtures/child-process.ts'
import { readRefusals } from '../../server/fixtures/read-refusals.ts'
import { projectFolder } from '../../server/page-build.ts'
import { type ProcessUsage, readUsage } from './process-usage.ts'

export interface ServerCommand {
  /** The arguments of Node, with paths as seen from the project's folder. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Counts in its metrics whom it refuses something. */
  readonly countsRefusals?: boolean
  /** The server is ready once it has printed an address of this scheme on localhost, followed by white space. */
  readonly ready: 'http' | 'https'
}

export interface ServerProcess {
  /** The address that it printed: `https://localhost:43123` */
  readonly origin: string
  /** The address for programs that do not trust the certificate; '' if it printed none. */
  readonly plainOrigin: string
  readonly pid: number
  /** The folder that can be read once the server has stopped, until the trial ends. */
  readonly dataDir: string
  /** Whom it had refused something, or let wait, when it was stopped in order (`readRefusals`). */
  readonly refusals: Readonly<Record<string, number>>
  usage(): Promise<ProcessUsage>
  /** Sends the signal, and SIGKILL when that does not help; resolves once the process has ended. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

interface DiptychOptions {
  /** Serves the pages, which must be built. */
  readonly pages?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** The arguments that `npm start` gives to Node, with the server in place of its supervisor: the bench measures this process. */
const shipped = manifest.scripts.start.replace('server/supervisor.ts', 'server/main.ts').split(' ').slice(1)

/** Thousands of windows come from this one computer, and by a few links. What they do is limited as in service. */
const limitsOff = Object.fromEntries(
  [
    settings.limitNewGuests,
    settings.limitNewDocuments,
    settings.limitConnections,
    settings.limitOpenConnections,
    settings.limitSessionsOfPerson,
  ].map(({ name }) => [name, 'off']),
)

/** Runs Diptych as it is shipped, on free ports, and without limits on how many come from one address. */
export const diptych = ({ pages = false, env = {} }: DiptychOptions = {}): ServerCommand => ({
  args: [...shipped, ...(pages ? [] : ['--no-pages'])],
  env: { HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0', LOG_LEVEL: 'warn', ...limitsOff, ...env },
  countsRefusals: true,
  ready: 'https',
})

/** Runs `bench/peers/NAME.ts`, which listens on a free port, stores under DATA_DIR, and prints its address. */
export const peer = (name: string, env: Readonly<Record<string, string>> = {}): ServerCommand => ({
  args: [`bench/peers/${name}.ts`],
  env,
  ready: 'http',
})

/** A server with thousands of connections and a slow disk takes long to stop. */
const PATIENCE_MS = 60_000

/** The server ends with this process, however that ends. @param dataDir The server's DATA_DIR. */
export async function startServer(
  { args, env, ready, countsRefusals = false }: ServerCommand,
  dataDir: string,
): Promise<ServerProcess> {
  const child = startChild(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, DATA_DIR: dataDir, ...env },
  })
  const { pid, stderr } = child.process
  stderr.pipe(process.stderr, { end: false })
  const addressBy = (scheme: 'http' | 'https') => new RegExp(`${scheme}://localhost:\\d+(?=\\s)`)
  const [origin] = await awaitOutput(child, addressBy(ready))
  const plainOrigin = (): string => addressBy('http').exec(child.stdout())?.[0] ?? ''
  let refusals = {}
  return {
    origin,
    get plainOrigin() {
      return plainOrigin()
    },
    get refusals() {
      return refusals
    },
    pid: pid!,
    dataDir,
    usage: () => readUsage(pid!),
    async stop(signal = 'SIGTERM') {
      const isRunning = child.process.exitCode === null && child.process.signalCode === null
      if (countsRefusals && isRunning && signal === 'SIGTERM') refusals = await readRefusals(plainOrigin())
      if (!child.process.kill(signal)) return
      const patience = setTimeout(() => child.process.kill('SIGKILL'), PATIENCE_MS)
      await child.ended
      clearTimeout(patience)
      await child[Symbol.asyncDispose]()
    },
  }
}
