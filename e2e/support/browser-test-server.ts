/** Runs the real server as its own process, on ports and a data folder that it keeps over restarts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type TestChild } from '../../server/fixtures/child-process.ts'
import { FaultProxy } from './fault-proxy.ts'

export type Scheme = 'https' | 'http'

type ServerSettings = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '../..')
const preloadedModules = ['./server/require-node.js', './e2e/support/stand-in-store.ts'].flatMap((file) => [
  '--import',
  file,
])

export class BrowserTestServer {
  /** Everything that was printed, for the report of a failed test. */
  output = ''
  #ports: Partial<Record<Scheme, number>> = {}
  #child: TestChild | undefined
  readonly #folder: string
  readonly #proxies: Record<Scheme, FaultProxy>
  readonly #settings: ServerSettings

  private constructor(folder: string, proxies: Record<Scheme, FaultProxy>, settings: ServerSettings) {
    this.#folder = folder
    this.#proxies = proxies
    this.#settings = settings
  }

  static async start(settings: ServerSettings = {}): Promise<BrowserTestServer> {
    const folder = await mkdtemp(join(tmpdir(), 'diptych-e2e-'))
    const proxies = { https: await FaultProxy.listen(), http: await FaultProxy.listen() }
    const server = new BrowserTestServer(folder, proxies, settings)
    await server.start()
    return server
  }

  origin(scheme: Scheme): string {
    return `${scheme}://localhost:${this.#ports[scheme]}`
  }

  /** Returns the origin of the same server behind the fault proxy. */
  faultyOrigin(scheme: Scheme): string {
    return `${scheme}://localhost:${this.#proxies[scheme].port}`
  }

  proxy(scheme: Scheme): FaultProxy {
    return this.#proxies[scheme]
  }

  async start(): Promise<void> {
    const { https, http } = this.#ports
    const child = startChild(process.execPath, [...preloadedModules, 'server/main.ts'], {
      cwd: root,
      env: {
        ...process.env,
        STORE_STAND_IN: import.meta.resolve('./holdable-sqlite.ts'),
        HOST: '127.0.0.1',
        PORT: String(http ?? 0),
        HTTPS_PORT: String(https ?? 0),
        DATA_DIR: this.#folder,
        ALLOWED_ORIGINS: `${this.faultyOrigin('https')},${this.faultyOrigin('http')}`,
        LOG_LEVEL: 'warn',
        ...this.#settings,
      },
    })
    this.#child = child
    child.process.stderr.on('data', (bytes: Buffer) => (this.output += bytes.toString()))
    await this.#waitForAddresses(child)
    for (const scheme of ['https', 'http'] as const)
      this.#proxies[scheme].targetPort = this.#ports[scheme] ?? 0
  }

  /** Ends the process as a power cut would: no handler runs. */
  async kill(): Promise<void> {
    await this.#child?.[Symbol.asyncDispose]()
  }

  async holdCommits(): Promise<void> {
    await this.#toggleCommits('Commits are held')
  }

  async releaseCommits(): Promise<void> {
    await this.#toggleCommits('Commits go on')
  }

  async stop(): Promise<void> {
    await this.kill()
    await Promise.all([this.#proxies.https.close(), this.#proxies.http.close()])
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Waits until the server confirms the signal: see holdable-sqlite.ts. */
  async #toggleCommits(expectedOutput: string): Promise<void> {
    const outputStart = this.output.length
    this.#child?.process.kill('SIGUSR2')
    while (!this.output.slice(outputStart).includes(expectedOutput))
      await new Promise((resolve) => setTimeout(resolve, 10))
  }

  /** Waits for both addresses, which are printed once both ports listen. */
  async #waitForAddresses({ process: child }: TestChild): Promise<void> {
    const outputStart = this.output.length
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${this.output}`)))
      child.stdout.on('data', (bytes: Buffer) => {
        this.output += bytes.toString()
        const printed = this.output.slice(outputStart)
        const https = /https:\/\/[^\s:]+:(\d+)/.exec(printed)
        const http = /http:\/\/[^\s:]+:(\d+)/.exec(printed)
        if (!https || !http) return
        this.#ports = { https: Number(https[1]), http: Number(http[1]) }
        resolve()
      })
    })
  }
}
