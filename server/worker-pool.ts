/**
 * Runs jobs that a hostile document can make long or large in worker threads. Each job has a time limit, and a thread that exceeds
 * it is terminated and replaced. Large jobs wait for each other, and a thread ends after one. It knows threads, time and bytes; it does
 * not know what the jobs are, or whose turn it is (FairQueue).
 */
import { parentPort, type Transferable, Worker } from 'node:worker_threads'
import { type Clock, realClock } from '../lib/session/clock.ts'
import { FairQueue } from './fair-queue.ts'

export interface WorkerPoolOptions {
  /** A module that calls `handleJobs`. */
  readonly file: URL
  readonly name: string
  readonly limitMs: number
  /** Of the limit. */
  readonly clock?: Clock
  /** The heap at which a thread ends by itself. The default fits a document at its limit, of the smallest structs there are. */
  readonly maxHeapMb?: number
  /** Of the objects that are new, beside that heap. The default is the engine's. */
  readonly maxYoungHeapMb?: number
}

type JobReply<Answer> = { readonly answer: Answer } | { readonly failure: string }

/** An idle thread stays for a while, because starting one takes longer than most jobs: some 100 ms. */
const IDLE_MS = 10_000
/**
 * A thread ends after jobs of so many bytes: what they left in its heap, up to a hundred times as much, stays there until V8 collects it,
 * and an idle thread collects nothing. A job of so many is a large one.
 */
const MAX_THREAD_BYTES = 1024 * 1024
const MAX_HEAP_MB = 2048

export class JobTimeout extends Error {
  override readonly name = 'JobTimeout'
}

export class WorkerPool<Job, Answer> {
  readonly #options: WorkerPoolOptions
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  /** What each thread was given so far. */
  readonly #bytesOf = new WeakMap<Worker, number>()
  readonly #largeJobs = new FairQueue(1)

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /**
   * Starts as many threads as there are jobs at once: the caller bounds their number. @param transfer What of the job is moved to the thread.
   * @throws {JobTimeout} past the limit.
   * @throws {Error} for what the job threw, and when the job ended its thread.
   */
  async run(job: Job, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    const bytes = transfer.reduce((sum, { byteLength }) => sum + byteLength, 0)
    const run = (): Promise<Answer> => this.#run(job, transfer, bytes)
    return bytes < MAX_THREAD_BYTES ? run() : this.#largeJobs.run('large', run)
  }

  async #run(job: Job, transfer: readonly ArrayBuffer[], bytes: number): Promise<Answer> {
    const worker = this.#takeIdle() ?? this.#startThread()
    const threadBytes = (this.#bytesOf.get(worker) ?? 0) + bytes
    this.#bytesOf.set(worker, threadBytes)
    const reply = await this.#waitForReply(worker, job, transfer)
    if (threadBytes < MAX_THREAD_BYTES) this.#keepIdle(worker)
    else await worker.terminate() // the next large job starts when the memory is given back
    if ('failure' in reply) throw new Error(reply.failure)
    return reply.answer
  }

  #waitForReply(worker: Worker, job: Job, transfer: readonly ArrayBuffer[]): Promise<JobReply<Answer>> {
    const { limitMs, clock = realClock } = this.#options
    return new Promise((resolve, reject) => {
      const end = (error: Error) => {
        stop()
        void worker.terminate()
        reject(error)
      }
      const onMessage = (reply: JobReply<Answer>) => {
        stop()
        resolve(reply)
      }
      const onExit = (code: number) => end(new Error(`the thread ended with code ${code} and no answer`))
      const onLimit = () => end(new JobTimeout(`it took longer than ${limitMs / 1000} s`))
      const stop = () => {
        cancelLimit()
        worker.off('message', onMessage).off('error', end).off('exit', onExit)
      }
      const cancelLimit = clock.after(limitMs, onLimit)
      worker.once('message', onMessage).once('error', end).once('exit', onExit)
      worker.postMessage(job, transfer)
    })
  }

  #takeIdle(): Worker | undefined {
    const [worker] = this.#idle.keys()
    if (!worker) return undefined
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
    worker.ref()
    return worker
  }

  #startThread(): Worker {
    const { file, name, maxHeapMb = MAX_HEAP_MB, maxYoungHeapMb } = this.#options
    const limits = {
      maxOldGenerationSizeMb: maxHeapMb,
      ...(maxYoungHeapMb !== undefined && { maxYoungGenerationSizeMb: maxYoungHeapMb }),
    }
    const worker = new Worker(file, { name, resourceLimits: limits })
    worker.on('error', () => {}) // nobody else listens between two jobs
    worker.once('exit', () => this.#forgetThread(worker))
    return worker
  }

  /** Lets the process end when it has nothing else to do. */
  #keepIdle(worker: Worker): void {
    worker.unref()
    this.#idle.set(worker, setTimeout(() => this.#endThread(worker), IDLE_MS).unref())
  }

  /** Forgets the thread first: terminating takes a moment, in which it must get no job. */
  #endThread(worker: Worker): void {
    this.#forgetThread(worker)
    void worker.terminate()
  }

  #forgetThread(worker: Worker): void {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
  }
}

/**
 * Runs in the thread: answers one job after the other.
 * @param transferred Returns what of an answer is transferred and not copied.
 */
export function handleJobs<Job, Answer>(
  perform: (job: Job) => Answer | Promise<Answer>,
  transferred: (answer: Answer) => Transferable[] = () => [],
): void {
  const port = parentPort!
  const handleJob = async (job: Job): Promise<void> => {
    try {
      const answer = await perform(job)
      port.postMessage({ answer }, transferred(answer))
    } catch (error) {
      port.postMessage({ failure: error instanceof Error ? error.message : String(error) })
    }
  }
  port.on('message', (job: Job) => void handleJob(job))
}
