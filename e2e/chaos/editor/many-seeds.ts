/** Spreads seeds over processes, a few at a time, in the order of their numbers. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { addReports, noSeeds, type SeedReport } from './seed-report.ts'
import type { SeedRange } from './seed-worker.ts'

const BATCH = 25

export interface ManySeedsOptions extends SeedRange {
  readonly processes: number
  /** After each batch, with the sum so far. */
  readonly onProgress: (report: SeedReport) => void
}

export async function runManySeeds({
  from,
  count,
  processes,
  onProgress,
}: ManySeedsOptions): Promise<SeedReport> {
  const end = from + count
  let next = from
  let sum = noSeeds
  const runBatches = async (): Promise<void> => {
    const worker = forkWorker()
    try {
      while (next < end) {
        const range = { from: next, count: Math.min(BATCH, end - next) }
        next += range.count
        const report = await runBatch(worker, range)
        sum = addReports(sum, report)
        onProgress(sum)
      }
    } finally {
      worker.kill()
    }
  }
  await Promise.all(Array.from({ length: processes }, runBatches))
  return { ...sum, failures: sum.failures.toSorted((a, b) => a.seed - b.seed) }
}

const forkWorker = (): ChildProcess =>
  fork(join(import.meta.dirname, 'seed-worker.ts'), {
    execArgv: ['--import', join(import.meta.dirname, 'page-imports.ts')],
  })

async function runBatch(worker: ChildProcess, range: SeedRange): Promise<SeedReport> {
  const ended = new AbortController()
  const answer = once(worker, 'message', { signal: ended.signal })
  const exit = once(worker, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A process ended with ${code} at the seeds from ${range.from} on`)
  })
  worker.send(range)
  try {
    const [report] = (await Promise.race([answer, exit])) as [SeedReport]
    return report
  } finally {
    ended.abort()
    await Promise.allSettled([answer, exit])
  }
}
