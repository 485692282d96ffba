/** [A6] Several downloads that are one stream hold as few bytes as others do. */
import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { DownloadSeries } from './download-series.ts'
import { type Chunks, DownloadStalled, StateDownloads } from './state-downloads.ts'

const MIB = 1024 * 1024
const never = new AbortController().signal

let clock: ManualClock
let downloads: StateDownloads
let ended: number
beforeEach(() => {
  clock = new ManualClock()
  downloads = new StateDownloads({ bytes: 4 * MIB, principalBytes: 2 * MIB, clock })
  ended = 0
})

/** Two downloads of 1.5 MiB, so that only one of them is open at a time. */
function openReader() {
  const series = new DownloadSeries()
  async function* chunks(): Chunks {
    for (let one = 0; one < 2; one++) {
      const download = await downloads.admit('ada', 1.5 * MIB, never)
      series.begin(download)
      try {
        for (let chunk = 0; chunk < 8; chunk++) yield new Uint8Array(1)
      } finally {
        download.close()
      }
    }
  }
  return series.stream(chunks(), () => void (ended += 1)).getReader()
}

test('a reader who takes chunks is not cut while others wait, and the next download follows', async () => {
  const reader = openReader()
  await reader.read()
  const waiting = downloads.admit('bo', 4 * MIB, never)
  for (let chunk = 1; chunk < 8; chunk++) {
    await clock.pass(1_000)
    await reader.read()
  }
  const next = reader.read()
  ;(await waiting).close()
  expect((await next).done).toBe(false)
  while (!(await reader.read()).done);
  expect([downloads.openCount, ended]).toEqual([0, 1])
})

test('one who takes nothing is cut with what is held for it', async () => {
  const reader = openReader()
  await reader.read()
  const waiting = downloads.admit('bo', 4 * MIB, never)
  for (let second = 0; second < 7; second++) await clock.pass(1_000)
  await expect(reader.read()).rejects.toThrow(DownloadStalled)
  ;(await waiting).close()
  expect([downloads.openCount, ended]).toEqual([0, 1])
})

test('one who goes away closes the download that is open', async () => {
  const reader = openReader()
  await reader.read()
  await reader.cancel()
  expect([downloads.openCount, ended]).toEqual([0, 1])
})
