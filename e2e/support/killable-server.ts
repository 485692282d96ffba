/** Runs the program as a process, on the same ports and folder over all restarts. */
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as Y from 'yjs'
import {
  type ServerProgram,
  waitUntilReady,
  startServerProgram,
} from '../../server/fixtures/server-program.ts'
import { readStoredDocument, type Scheme } from '../../server/fixtures/real-server.ts'
import { findFreePorts } from './free-ports.ts'

export interface KillableServerOptions {
  /** A folder that is kept afterwards. Without it a temporary folder is created, and removed in the end. */
  readonly folder?: string
  /** The URL of a file that replaces the real store. */
  readonly store?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
}

const storeHookUrl = import.meta.resolve('./stand-in-store.ts')

export class KillableServer implements AsyncDisposable {
  readonly origins: Readonly<Record<Scheme, string>>
  readonly #folder: string
  readonly #ports: { readonly PORT: string; readonly HTTPS_PORT: string }
  readonly #options: KillableServerOptions
  #program: ServerProgram | null = null
  /** The standard error of earlier processes. */
  #formerErrorOutput = ''

  static async start(options: KillableServerOptions = {}): Promise<KillableServer> {
    const [http, https] = await findFreePorts(2)
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'diptych-mortal-')))
    const server = new KillableServer(folder, { PORT: String(http), HTTPS_PORT: String(https) }, options)
    await server.start()
    return server
  }

  private constructor(
    folder: string,
    ports: { PORT: string; HTTPS_PORT: string },
    options: KillableServerOptions,
  ) {
    this.#folder = folder
    this.#ports = ports
    this.#options = options
    this.origins = {
      http: `http://localhost:${ports.PORT}`,
      https: `https://localhost:${ports.HTTPS_PORT}`,
    }
  }

  /** The standard error of all processes so far. */
  get errorOutput(): string {
    return this.#formerErrorOutput + (this.#program?.stderr() ?? '')
  }

  /** The id of the present process. */
  get pid(): number {
    return this.#program!.process.pid!
  }

  origin(scheme: Scheme): string {
    return this.origins[scheme]
  }

  /** @param store The URL of a file that replaces the real store in this process. */
  async start(store: string | undefined = this.#options.store): Promise<void> {
    this.#program = this.#launchProgram(store)
    await waitUntilReady(this.#program)
  }

  async startAndKill(ms: number): Promise<void> {
    this.#program = this.#launchProgram()
    await sleep(ms)
    await this.kill()
  }

  async kill(): Promise<void> {
    await this.#endProgram('SIGKILL')
  }

  /** Ends the process in order, so that it tells its clients why. */
  async stop(): Promise<void> {
    await this.#endProgram('SIGTERM')
  }

  /** Sends SIGUSR2 and waits until the replacement of the store answers. */
  async toggleStoreFault(expectedOutput: string): Promise<void> {
    const { process: child, stderr } = this.#program!
    const outputStart = stderr().length
    child.kill('SIGUSR2')
    while (!stderr().slice(outputStart).includes(expectedOutput)) await once(child.stderr, 'data')
  }

  /** Returns what a server that starts now would load. It reads a copy, because the next process needs the original. */
  async readStoredDocument(document: string): Promise<Y.Doc> {
    const copy = await mkdtemp(join(tmpdir(), 'diptych-mortal-copy-'))
    try {
      await cp(this.#folder, copy, { recursive: true })
      return await readStoredDocument(join(copy, 'diptych.sqlite'), document)
    } finally {
      await rm(copy, { recursive: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    if (this.#options.folder === undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  #launchProgram(store?: string): ServerProgram {
    return startServerProgram({
      DATA_DIR: this.#folder,
      ...this.#ports,
      ...this.#options.environment,
      ...(store && { NODE_OPTIONS: `--import ${storeHookUrl}`, STORE_STAND_IN: store }),
    })
  }

  async #endProgram(signal: NodeJS.Signals): Promise<void> {
    const program = this.#program
    if (!program) return
    this.#program = null
    program.process.kill(signal)
    this.#formerErrorOutput += (await program.ended).stderr
  }
}
