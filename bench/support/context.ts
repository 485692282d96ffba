/** What a trial is given: servers, proxies and a folder, all of which end with it, and the disk and the machine to look at. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { measureFsync } from './fsync.ts'
import { watchLoad } from './machine.ts'
import { folderInRam } from './ram-disk.ts'
import { type CountingProxy, startProxy } from './proxy.ts'
import { type ServerCommand, type ServerProcess, startServer } from './server.ts'

interface Storage {
  /** Only where there is one: see ram-disk.ts. */
  readonly onRamDisk?: boolean
}

export interface Scope {
  /** On the disk of the checkout, as ./data is: a temporary folder may be memory. */
  readonly folder: string
  /** A process of its own with a data folder of its own: on the disk, unless it is asked for in memory. */
  startServer(command: ServerCommand, options?: Storage): Promise<ServerProcess>
  startProxy(): Promise<CountingProxy>
  /** Called at the end, the last one first. */
  defer(end: () => Promise<void> | void): void
}

export interface Context extends Scope {
  /** Aborted by Ctrl-C: what waits long listens to it. */
  readonly signal: AbortSignal
  /** Made at its first use, and kept until the scenario's last trial: a browser, pages, a recording. */
  shared<Thing>(name: string, make: (scope: Scope) => Promise<Thing>): Promise<Thing>
  /** What the load of the outcome is taken of: the measurement without what leads up to it. */
  measure<Result>(work: () => Promise<Result>): Promise<Result>
  /** Milliseconds of each of `count` appends of 4 KiB with fdatasync, `pauseMs` apart, on the disk that servers write to. */
  fsync(count: number, pauseMs: number): Promise<number[]>
  /** A line on the terminal. */
  say(line: string): void
}

class OpenScope implements Scope, AsyncDisposable {
  readonly folder: string
  readonly #ends = new AsyncDisposableStack()
  #servers = 0

  private constructor(folder: string) {
    this.folder = folder
    this.#ends.defer(() => rm(folder, { recursive: true, force: true }))
  }

  static async open(parent: string): Promise<OpenScope> {
    return new OpenScope(await mkdtemp(join(parent, 'data-')))
  }

  async startServer(command: ServerCommand, { onRamDisk = false }: Storage = {}): Promise<ServerProcess> {
    const parent = onRamDisk ? this.#ramFolder() : this.folder
    const server = await startServer(command, join(parent, `server-${++this.#servers}`))
    this.#ends.defer(() => server.stop())
    return server
  }

  #ramFolder(): string {
    const { folder, remove } = folderInRam()
    this.#ends.defer(remove)
    return folder
  }

  async startProxy(): Promise<CountingProxy> {
    const proxy = await startProxy()
    this.#ends.defer(() => proxy.close())
    return proxy
  }

  defer(end: () => Promise<void> | void): void {
    this.#ends.defer(end)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ends.disposeAsync()
  }
}

/** Of one scenario: what is shared lives as long as this. */
export class Stage implements AsyncDisposable {
  readonly #parent: string
  readonly #signal: AbortSignal
  readonly #say: (line: string) => void
  readonly #scopes = new AsyncDisposableStack()
  readonly #shared = new Map<string, Promise<unknown>>()

  constructor(parent: string, signal: AbortSignal, say: (line: string) => void) {
    this.#parent = parent
    this.#signal = signal
    this.#say = say
  }

  /** Runs one trial in a scope of its own. */
  async play<Result>(run: (ctx: Context) => Promise<Result>): Promise<{ result: Result; load: number }> {
    await using scope = await OpenScope.open(this.#parent)
    let load: number | undefined
    const loadOfAll = watchLoad()
    const ctx: Context = {
      folder: scope.folder,
      startServer: (command, options) => scope.startServer(command, options),
      startProxy: () => scope.startProxy(),
      defer: (end) => scope.defer(end),
      signal: this.#signal,
      shared: (name, make) => this.#share(name, make),
      async measure(work) {
        const loadSince = watchLoad()
        const result = await work()
        load = Math.max(load ?? 0, loadSince())
        return result
      },
      fsync: (count, pauseMs) => measureFsync(scope.folder, count, pauseMs),
      say: this.#say,
    }
    const result = await run(ctx)
    return { result, load: load ?? loadOfAll() }
  }

  async #share<Thing>(name: string, make: (scope: Scope) => Promise<Thing>): Promise<Thing> {
    const made = this.#shared.get(name) ?? this.#make(make)
    this.#shared.set(name, made)
    // What could not be made is tried again by the next trial.
    made.catch(() => this.#shared.delete(name))
    return (await made) as Thing
  }

  async #make<Thing>(make: (scope: Scope) => Promise<Thing>): Promise<Thing> {
    const scope = await OpenScope.open(this.#parent)
    this.#scopes.use(scope)
    return make(scope)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scopes.disposeAsync()
  }
}
