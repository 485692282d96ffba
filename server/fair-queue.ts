/**
 * A bounded number of jobs at work, fair by key: keys take turns, and of one key one job at a time is at work, in the order of
 * asking. So one document with many jobs, or with long ones, keeps each other one waiting for one of them at most.
 */
export class FairQueue {
  readonly #maxRunning: number
  readonly #runningKeys = new Set<string>()
  /** In the order in which the keys are next. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>()

  /** @param maxRunning How many jobs are at work at once. */
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
