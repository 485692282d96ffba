/** Gives a trial servers, proxies and a folder, which end with it, and measures the disk and the machine's load. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureFsync } from './fsync.ts'
import { watchLoad } from './machine.ts'
import { type CountingProxy, startProxy } from './counting-proxy.ts'
import { RAM_DISK } from './ram-disk.ts'
import { createRemovableFolder } from './removable-folder.ts'
import { type ServerCommand, type ServerProcess, startServer } from './server.ts'

interface StorageOptions {
  /** Keeps the data folder in memory; `hasRamDisk` says whether this machine can. */
  readonly onRamDisk?: boolean
}

export interface Scope {
  /** It is on the disk of the checkout, as ./data is: a temporary folder may be in memory. */
  readonly folder: string
  /** Starts a process with a data folder of its own. */
  startServer(command: ServerCommand, options?: StorageOptions): Promise<ServerProcess>
  startProxy(): Promise<CountingProxy>
  /** Calls `end` when the scope ends; what was deferred last comes first. */
  defer(end: () => Promise<void> | void): void
}

export interface Context extends Scope {
  /** Is aborted by Ctrl-C, and when the trial is given up. A long wait listens to it. */
  readonly signal: AbortSignal
  /** Makes something at its first use, such as a browser, and keeps it until the scenario's last trial. */
  shared<Thing>(name: string, make: (scope: Scope) => Promise<Thing>): Promise<Thing>
  /** Runs the measurement itself: the outcome's load is that of this time, without what leads up to it. */
  measure<Result>(work: () => Promise<Result>): Promise<Result>
  /** Returns the ms of each of `count` appends of 4 KiB with fdatasync, `pauseMs` apart, on the disk that servers write to. */
  fsync(count: number, pauseMs: number): Promise<number[]>
  /** Prints a line on the terminal. */
  say(line: string): void
}

/** @param started Gets each server that is started. */
async function openScope(parent: string, started: ServerProcess[]): Promise<Scope & AsyncDisposable> {
  const folder = await mkdtemp(join(parent, 'data-'))
  const ends = new AsyncDisposableStack()
  ends.defer(() => rm(folder, { recursive: true, force: true }))
  const endWithScope = async (end: () => Promise<void>): Promise<void> => {
    // A trial that was given up goes on, and may start something after the scope's end.
    if (ends.disposed) await end()
    ends.defer(end)
  }
  let servers = 0
  return {
    folder,
    async startServer(command, { onRamDisk = false } = {}) {
      const parentFolder = onRamDisk ? ends.use(createRemovableFolder(RAM_DISK)).path : folder
      const dataDir = join(parentFolder, `server-${++servers}`)
      const server = await startServer(command, dataDir)
      started.push(server)
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

/** The time that a trial may take. */
export interface TimeLimit {
  readonly ms: number
  /** The message of the error that ends a longer one. */
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

/** The time in which a trial that was given up can end what it started; whatever needs longer ends with this process. */
const GRACE_MS = 30_000

/** Runs the trials of one scenario, and keeps what they share until its own end. */
export class ScenarioScope implements AsyncDisposable {
  readonly #parent: string
  readonly #signal: AbortSignal
  readonly #say: (line: string) => void
  #scopes = new AsyncDisposableStack()
  readonly #shared = new Map<string, Promise<unknown>>()
  readonly #sharedServers: ServerProcess[] = []

  constructor(parent: string, signal: AbortSignal, say: (line: string) => void) {
    this.#parent = parent
    this.#signal = signal
    this.#say = say
  }

  /**
   * Runs one trial in a scope of its own. A trial that takes too long is given up: what it started is ended, and also what it shares
   * with others.
   *
   * @throws {Error} what the trial throws, or that it took too long.
   */
  async runTrial<Result>(
    run: (ctx: Context) => Promise<Result>,
    timeLimit: TimeLimit,
  ): Promise<{ result: Result; load: number; refusals: Readonly<Record<string, number>> }> {
    const servers: ServerProcess[] = []
    const measured = await this.#runInScope(run, await openScope(this.#parent, servers), timeLimit)
    return { ...measured, refusals: sumRefusals([...servers, ...this.#sharedServers]) }
  }

  async #runInScope<Result>(
    run: (ctx: Context) => Promise<Result>,
    scope: Scope & AsyncDisposable,
    timeLimit: TimeLimit,
  ) {
    const limit = startLimit(timeLimit)
    try {
      return await Promise.race([this.#runWithLoad(run, scope, limit.signal), limit.late])
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

  async #runWithLoad<Result>(run: (ctx: Context) => Promise<Result>, scope: Scope, late: AbortSignal) {
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
    // The next trial tries again to make what could not be made.
    made.catch(() => this.#shared.delete(name))
    return (await made) as Thing
  }

  async #make<Thing>(make: (scope: Scope) => Promise<Thing>): Promise<Thing> {
    return make(this.#scopes.use(await openScope(this.#parent, this.#sharedServers)))
  }

  /** Ends what the trials share; the next trial makes it again. */
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

function sumRefusals(servers: readonly ServerProcess[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const { refusals } of servers)
    for (const [what, count] of Object.entries(refusals)) sum[what] = (sum[what] ?? 0) + count
  return sum
}
