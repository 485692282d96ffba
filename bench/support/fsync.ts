/** Measures fdatasync on the disk of the data folder: no acknowledgement of a stored edit can be faster. */
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The number before each trial; over several trials they are enough for a p99. */
export const FSYNCS_A_TRIAL = 25
/** About the pause between commits under load. */
export const FSYNC_PAUSE_MS = 8

/** The size of SQLite's page, by which its log grows with one edit. */
const PAGE_BYTES = 4096

/**
 * Returns the ms, to a microsecond, of each of `count` appends of 4 KiB with fdatasync. They are `pauseMs` apart, as the commits of
 * a typist are: without a pause they would find disk and caches warm.
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
