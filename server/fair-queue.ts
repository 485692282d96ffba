/**
 * Runs a bounded number of jobs at once, fairly by key: keys take turns, and each key runs one job at a time, in the order of the
 * calls. So a document with many or long jobs makes each other document wait for one of them at most.
 */
export class FairQueue {
  readonly #maxRunning: number
  readonly #runningKeys = new Set<string>()
  /** The first key is the next to run. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>()

  /** @param maxRunning How many jobs run at once. */
  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning
  }

  /** Resolves and rejects as the job does. */
  run<Answer>(key: string, job: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#addJob(key, () => job().then(resolve, reject))
      this.#startJobs()
    })
  }

  #addJob(key: string, job: () => Promise<void>): void {
    const jobs = this.#waiting.get(key)
    if (jobs) jobs.push(job)
    else this.#waiting.set(key, [job])
  }

  #startJobs(): void {
    for (const [key, jobs] of this.#waiting) {
      if (this.#runningKeys.size >= this.#maxRunning) return
      if (!this.#runningKeys.has(key)) void this.#runNextOf(key, jobs)
    }
  }

  async #runNextOf(key: string, jobs: (() => Promise<void>)[]): Promise<void> {
    const job = jobs.shift() as () => Promise<void>
    this.#waiting.delete(key)
    if (jobs.length > 0) this.#waiting.set(key, jobs)
    this.#runningKeys.add(key)
    try {
      await job()
    } finally {
      this.#runningKeys.delete(key)
      this.#startJobs()
    }
  }
}
