/** The program as a process, on the same ports and folder through all its lives. */
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as Y from 'yjs'
import { type Program, ready, startProgram } from '../../server/fixtures/program.ts'
import { readStored, type Scheme } from '../../server/fixtures/real-server.ts'
import { freePorts } from './ports.ts'

export interface MortalOptions {
  /** Kept afterwards. Otherwise one is made, and removed in the end. */
  readonly folder?: string
  /** The URL of a file that stands for the real store. */
  readonly store?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
}

const standIn = import.meta.resolve('./stand-in-store.ts')

export class MortalServer implements AsyncDisposable {
  readonly origins: Readonly<Record<Scheme, string>>
  readonly #folder: string
  readonly #ports: { readonly PORT: string; readonly HTTPS_PORT: string }
  readonly #options: MortalOptions
  #program: Program | null = null
  /** What its former lives said on standard error. */
  #said = ''

  static async start(options: MortalOptions = {}): Promise<MortalServer> {
    const [http, https] = await freePorts(2)
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'diptych-mortal-')))
    const server = new MortalServer(folder, { PORT: String(http), HTTPS_PORT: String(https) }, options)
    await server.start()
    return server
  }

  private constructor(folder: string, ports: { PORT: string; HTTPS_PORT: string }, options: MortalOptions) {
    this.#folder = folder
    this.#ports = ports
    this.#options = options
    this.origins = {
      http: `http://localhost:${ports.PORT}`,
      https: `https://localhost:${ports.HTTPS_PORT}`,
    }
  }

  /** What all its lives said on standard error. */
  get said(): string {
    return this.#said + (this.#program?.stderr() ?? '')
  }

  /** Of the life that it has now. */
  get pid(): number {
    return this.#program!.process.pid!
  }

  origin(scheme: Scheme): string {
    return this.origins[scheme]
  }

  /** @param store The URL of a file that stands for the real store in this life. */
  async start(store: string | undefined = this.#options.store): Promise<void> {
    this.#program = this.#launch(store)
    await ready(this.#program)
  }

  async startAndKill(ms: number): Promise<void> {
    this.#program = this.#launch()
    await sleep(ms)
    await this.kill()
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** In good order: it says why it goes. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  /** Sends SIGUSR2 and waits until the store's stand-in answers. */
  async tell(answer: string): Promise<void> {
    const { process: child, stderr } = this.#program!
    const from = stderr().length
    child.kill('SIGUSR2')
    while (!stderr().slice(from).includes(answer)) await once(child.stderr, 'data')
  }

  /** What a server that starts now would load, read from a copy: the original waits for the next life. */
  async stored(document: string): Promise<Y.Doc> {
    const copy = await mkdtemp(join(tmpdir(), 'diptych-mortal-copy-'))
    try {
      await cp(this.#folder, copy, { recursive: true })
      return await readStored(join(copy, 'diptych.sqlite'), document)
    } finally {
      await rm(copy, { recursive: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    if (this.#options.folder === undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  #launch(store?: string): Program {
    return startProgram({
      DATA_DIR: this.#folder,
      ...this.#ports,
      ...this.#options.environment,
      ...(store && { NODE_OPTIONS: `--import ${standIn}`, STORE_STAND_IN: store }),
    })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const program = this.#program
    if (!program) return
    this.#program = null
    program.process.kill(signal)
    this.#said += (await program.ended).stderr
  }
}
