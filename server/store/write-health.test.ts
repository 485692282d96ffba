/** Tests the health of a store while appends fail, also on a real disk that is full to the last byte. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { openSqliteStore } from './sqlite.ts'
import { type DocumentStore, StoreError } from './store.ts'
import { WriteHealth } from './write-health.ts'

afterEach(() => vi.useRealTimers())

const DISK_FULL = { message: 'database or disk is full', errcode: 13 }
const CONSTRAINT_FAILED = { message: 'NOT NULL constraint failed', errcode: 1299 }

test('failing appends are reported until one succeeds, and an edit that breaks a rule is not', () => {
  const health = new WriteHealth()
  expect(health.failure).toBe(null)
  health.onCommitted([[1], CONSTRAINT_FAILED])
  expect(health.failure).toBe(null)
  health.onCommitted([[2], DISK_FULL])
  expect(health.failure?.message).toBe(DISK_FULL.message)
  health.onCommitted([CONSTRAINT_FAILED])
  expect(health.failure?.message).toBe(DISK_FULL.message)
  health.onCommitted([[3]])
  expect(health.failure).toBe(null)
  health.onFailed(new Error('the disk is gone'))
  expect(health.failure?.message).toBe('the disk is gone')
})

test('without another attempt, the failure is forgotten after a while', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const health = new WriteHealth()
  health.onCommitted([DISK_FULL])
  vi.advanceTimersByTime(4_000)
  expect(health.failure).not.toBe(null)
  vi.advanceTimersByTime(2_000)
  expect(health.failure).toBe(null)
})

const DISK_BYTES = 40 * 1024 * 1024

/** Fills every byte that is left: what no large block fits, a smaller one may. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w')
  for (let bytes = 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    const block = Buffer.alloc(bytes)
    try {
      for (;;) writeSync(handle, block)
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
  }
  closeSync(handle)
}

async function isAppendFailing(store: DocumentStore): Promise<boolean> {
  try {
    await store.append([textEdit('d', 'words '.repeat(1_000))])
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    return true
  }
}

test('[D3] on a full disk the check rejects from the first failed append until one succeeds', async ({
  skip,
}) => {
  const folder = await createStoreFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder])
  try {
    if (mounted.status !== 0) skip('this user may not mount a small disk')
    const store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
    const { documents } = store
    await documents.append([textEdit('d', 'before')])
    await documents.check()
    fillDisk(join(folder, 'filler'))
    while (!(await isAppendFailing(documents))); // the free space within the log file is used up first
    await expect(documents.check()).rejects.toThrow('full')
    expect((await documents.load('d', 'body')).updates.length).toBeGreaterThan(0)
    await expect(documents.check()).rejects.toThrow('full')
    await rm(join(folder, 'filler'))
    expect(await isAppendFailing(documents)).toBe(false)
    await documents.check()
    await store.close()
  } finally {
    if (mounted.status === 0) spawnSync('umount', [folder])
  }
})
