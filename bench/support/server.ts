/** The servers that are measured, each a process of its own. */
import { settings } from '../../server/settings.ts'
import manifest from '../../package.json' with { type: 'json' }
import { awaitOutput, startChild } from '../../server/fixtures/child-process.ts'
import { projectFolder } from '../../server/page-build.ts'
import { type Usage, usageOf } from './proc.ts'

export interface ServerCommand {
  /** Of Node, as seen from the project. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** It is ready once it printed an address of this scheme on localhost, followed by white space. */
  readonly ready: 'http' | 'https'
}

export interface ServerProcess {
  /** The address it was ready with: `https://localhost:43123` */
  readonly origin: string
  /** The same for programs that trust no local certificate; '' where it is not printed. */
  readonly plainOrigin: string
  readonly pid: number
  /** What it keeps: to be read once it has stopped, and gone with the trial. */
  readonly dataDir: string
  usage(): Promise<Usage>
  /** SIGTERM unless said, and SIGKILL where that is not heard; resolves once the process is gone. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

interface DiptychOptions {
  /** Serve the pages, which have to be built. */
  readonly pages?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** The arguments that `npm start` gives to Node, with the server in the place of its supervisor: the bench measures this process. */
const shipped = manifest.scripts.start.replace('server/supervisor.ts', 'server/main.ts').split(' ').slice(1)

/** Thousands of windows come from this one computer. */
const unlimited = Object.fromEntries(
  Object.values(settings)
    .filter(({ name }) => name.startsWith('LIMIT_'))
    .map(({ name }) => [name, 'off']),
)

/** Diptych as it is shipped, on free ports, and without limits of what one address may bring. */
export const diptych = ({ pages = false, env = {} }: DiptychOptions = {}): ServerCommand => ({
  args: [...shipped, ...(pages ? [] : ['--no-pages'])],
  env: { HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0', LOG_LEVEL: 'warn', ...unlimited, ...env },
  ready: 'https',
})

/** `bench/peers/NAME.ts`, which listens on a free port, keeps what it keeps under DATA_DIR, and prints its address. */
export const peer = (name: string, env: Readonly<Record<string, string>> = {}): ServerCommand => ({
  args: [`bench/peers/${name}.ts`],
  env,
  ready: 'http',
})

/** With thousands of connections, and a disk that is slow. */
const PATIENCE_MS = 60_000

/** It ends with this process, however that ends. @param dataDir What the process gets as DATA_DIR. */
export async function startServer(
  { args, env, ready }: ServerCommand,
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
  return {
    origin,
    get plainOrigin() {
      return addressBy('http').exec(child.stdout())?.[0] ?? ''
    },
    pid: pid!,
    dataDir,
    usage: () => usageOf(pid!),
    async stop(signal = 'SIGTERM') {
      // Its number may be another process's by then.
      if (!child.process.kill(signal)) return
      const patience = setTimeout(() => child.process.kill('SIGKILL'), PATIENCE_MS)
      await child.ended
      clearTimeout(patience)
      await child[Symbol.asyncDispose]()
    },
  }
}
