/** The disk's own fsync, where the data folder is: the floor of every acknowledgement. Times in ms, to a microsecond. */
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Before each trial: many of them add up to what tells the worst of a hundred. */
export const FSYNCS_A_TRIAL = 25
/** About as far apart as commits are under load. Back to back they would find disk and caches warm. */
export const FSYNC_PAUSE_MS = 8

/** SQLite's page: what its log grows by with one edit. */
const PAGE_BYTES = 4096

/**
 * Milliseconds of each of `count` appends of 4 KiB with fdatasync. Back to back they find disk and caches warm, which the commits of
 * a typist never do: `pauseMs` apart they tell what one of those has to pay.
 */
export async function measureFsync(folder: string, count: number, pauseMs: number): Promise<number[]> {
  const path = join(folder, 'fsync.probe')
  const file = openSync(path, 'w')
  try {
    const page = Buffer.alloc(PAGE_BYTES, 1)
    const times: number[] = []
    while (times.length < count) {
      if (pauseMs > 0) await sleep(pauseMs)
      const startedAt = performance.now()
      writeSync(file, page)
      fdatasyncSync(file)
      times.push(Math.round((performance.now() - startedAt) * 1000) / 1000)
    }
    return times
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}
