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
  /** Aborted by Ctrl-C, and when the trial is given up: what waits long listens to it. */
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
    await this.#endWith(() => server.stop())
    return server
  }

  /** A trial that was given up may start something still. */
  async #endWith(end: () => Promise<void>): Promise<void> {
    if (this.#ends.disposed) await end()
    this.#ends.defer(end)
  }

  #ramFolder(): string {
    const { folder, remove } = folderInRam()
    this.#ends.defer(remove)
    return folder
  }

  async startProxy(): Promise<CountingProxy> {
    const proxy = await startProxy()
    await this.#endWith(() => proxy.close())
    return proxy
  }

  defer(end: () => Promise<void> | void): void {
    this.#ends.defer(end)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ends.disposeAsync()
  }
}

/** How long a trial may take, and what is said of one that takes longer. */
export interface TimeLimit {
  readonly ms: number
  readonly words: string
}

class TooLate implements Disposable {
  /** Never resolves. */
  readonly comes: Promise<never>
  readonly #late = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor({ ms, words }: TimeLimit) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.comes = promise
    this.#timer = setTimeout(() => {
      this.#late.abort()
      reject(new Error(words))
    }, ms)
  }

  get signal(): AbortSignal {
    return this.#late.signal
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}

const GRACE_MS = 30_000

/** What hangs may hang in its end, too: then it ends with the process. */
async function withinGrace(endings: readonly Promise<void>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, GRACE_MS)
  await Promise.race([Promise.allSettled(endings), promise])
  clearTimeout(timer)
}

/** Of one scenario: what is shared lives as long as this. */
export class ScenarioScope implements AsyncDisposable {
  readonly #parent: string
  readonly #signal: AbortSignal
  readonly #say: (line: string) => void
  #scopes = new AsyncDisposableStack()
  readonly #shared = new Map<string, Promise<unknown>>()

  constructor(parent: string, signal: AbortSignal, say: (line: string) => void) {
    this.#parent = parent
    this.#signal = signal
    this.#say = say
  }

  /**
   * Runs one trial in a scope of its own. Where it is not over in time, what it started is ended, and what it shares with others, too.
   *
   * @throws {Error} what the trial throws, or that it was too late.
   */
  async play<Result>(
    run: (ctx: Context) => Promise<Result>,
    limit: TimeLimit,
  ): Promise<{ result: Result; load: number }> {
    const scope = await OpenScope.open(this.#parent)
    const tooLate = new TooLate(limit)
    try {
      return await Promise.race([this.#measured(run, scope, tooLate.signal), tooLate.comes])
    } finally {
      tooLate[Symbol.dispose]()
      const ending = scope[Symbol.asyncDispose]()
      await (tooLate.signal.aborted ? withinGrace([ending, this.#endShared()]) : ending)
    }
  }

  async #measured<Result>(run: (ctx: Context) => Promise<Result>, scope: OpenScope, late: AbortSignal) {
    let load: number | undefined
    const loadOfAll = watchLoad()
    const ctx: Context = {
      folder: scope.folder,
      startServer: (command, options) => scope.startServer(command, options),
      startProxy: () => scope.startProxy(),
      defer: (end) => scope.defer(end),
      signal: AbortSignal.any([this.#signal, late]),
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

  /** The next trial makes its own. */
  #endShared(): Promise<void> {
    const former = this.#scopes
    this.#scopes = new AsyncDisposableStack()
    this.#shared.clear()
    return former.disposeAsync()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scopes.disposeAsync()
  }
}
