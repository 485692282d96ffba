/** The disk's own fsync, where the data folder is: the floor of every acknowledgement. */
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** SQLite's page: what its log grows by with one edit. */
const PAGE_BYTES = 4096

/** Milliseconds of each of `count` appends of 4 KiB with fdatasync. Blocks this process. */
export function measureFsync(folder: string, count: number): number[] {
  const path = join(folder, 'fsync.probe')
  const file = openSync(path, 'w')
  try {
    const page = Buffer.alloc(PAGE_BYTES, 1)
    return Array.from({ length: count }, () => {
      const startedAt = performance.now()
      writeSync(file, page)
      fdatasyncSync(file)
      return performance.now() - startedAt
    })
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}
