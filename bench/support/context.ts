/** What a trial is given: servers, proxies and a folder, all of which end with it, and the disk and the machine to look at. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureFsync } from './fsync.ts'
import { watchLoad } from './machine.ts'
import { type CountingProxy, startProxy } from './proxy.ts'
import { RAM_DISK } from './ram-disk.ts'
import { folderIn } from './removable-folder.ts'
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

async function openScope(parent: string): Promise<Scope & AsyncDisposable> {
  const folder = await mkdtemp(join(parent, 'data-'))
  const ends = new AsyncDisposableStack()
  ends.defer(() => rm(folder, { recursive: true, force: true }))
  const endWithScope = async (end: () => Promise<void>): Promise<void> => {
    // A trial that was given up may start something still.
    if (ends.disposed) await end()
    ends.defer(end)
  }
  const ramFolder = (): string => {
    const { folder: inRam, remove } = folderIn(RAM_DISK)
    ends.defer(remove)
    return inRam
  }
  let servers = 0
  return {
    folder,
    async startServer(command, { onRamDisk = false } = {}) {
      const dataDir = join(onRamDisk ? ramFolder() : folder, `server-${++servers}`)
      const server = await startServer(command, dataDir)
      await endWithScope(() => server.stop())
      return server
    },
    async startProxy() {
      const proxy = await startProxy()
      await endWithScope(() => proxy.close())
      return proxy
    },
    defer: (end) => ends.defer(end),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  }
}

/** How long a trial may take, and what is said of one that takes longer. */
export interface TimeLimit {
  readonly ms: number
  readonly words: string
}

function startLimit({ ms, words }: TimeLimit) {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort()
    reject(new Error(words))
  }, ms)
  return { late, signal: controller.signal, clear: () => clearTimeout(timer) }
}

/** What hangs may hang in its end, too: then it ends with the process. */
const GRACE_MS = 30_000

/** Of one scenario: what its trials share lives as long as this. */
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
    timeLimit: TimeLimit,
  ): Promise<{ result: Result; load: number }> {
    const scope = await openScope(this.#parent)
    const limit = startLimit(timeLimit)
    try {
      return await Promise.race([this.#measured(run, scope, limit.signal), limit.late])
    } finally {
      limit.clear()
      const ending = scope[Symbol.asyncDispose]()
      if (limit.signal.aborted) {
        const ended = new AbortController()
        const all = Promise.allSettled([ending, this.#endShared()])
        await Promise.race([all, sleep(GRACE_MS, undefined, { signal: ended.signal })])
        ended.abort()
      } else await ending
    }
  }

  async #measured<Result>(run: (ctx: Context) => Promise<Result>, scope: Scope, late: AbortSignal) {
    let load: number | undefined
    const loadOfAll = watchLoad()
    const result = await run({
      ...scope,
      signal: AbortSignal.any([this.#signal, late]),
      shared: (name, make) => this.#share(name, make),
      async measure(work) {
        const loadSince = watchLoad()
        const measured = await work()
        load = Math.max(load ?? 0, loadSince())
        return measured
      },
      fsync: (count, pauseMs) => measureFsync(scope.folder, count, pauseMs),
      say: this.#say,
    })
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
    return make(this.#scopes.use(await openScope(this.#parent)))
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
