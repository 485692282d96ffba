import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type TransportRoute } from '../../server/fixtures/real-server.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { type DiptychWriter } from '../fixtures/chaos-writers.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { runUnderFaults, waitForAcknowledgedEdits } from './fixtures/fault-scenario.ts'
import { mountSmallDisk } from './fixtures/small-disk.ts'

const routes: readonly TransportRoute[] = [
  { transport: 'websocket', scheme: 'https' },
  { transport: 'sse', scheme: 'https' },
]

/** Lets the store fail while all write, and recover. */
async function runUnderStoreFault(
  server: KillableServer,
  { fails: breakStore, heals: healStore }: { fails(): Promise<void>; heals(): Promise<void> },
  isReported: boolean,
): Promise<void> {
  const document = await createSharedDocument(server.origin('http'))
  await runUnderFaults(
    { server, document, origins: server.origins, routes, maxPauseMs: 100 },
    async (writers) => {
      await waitForAcknowledgedEdits(writers, 3)
      await breakStore()
      if (isReported) await waitUntil(() => writers.every(seesStoreFailing), 'everybody to hear of it')
      if (isReported) expect(await readReadyStatus(server)).toBe(503)
      await expectUnsavedTyping(writers)
      if (isReported) expect(await readReadyStatus(server)).toBe(503)
      await healStore()
      await waitForAcknowledgedEdits(writers, 3)
      await waitUntil(() => !writers.some(seesStoreFailing), 'nobody to complain any more')
      expect(await readReadyStatus(server)).toBe(200)
    },
  )
}

const readReadyStatus = async (server: KillableServer): Promise<number> =>
  (await fetch(`${server.origin('http')}/readyz`)).status

const seesStoreFailing = ({ window }: DiptychWriter): boolean => {
  const { document } = window.status.get()
  return document.state === 'synced' && document.storeFailing === true
}

async function expectUnsavedTyping(writers: readonly DiptychWriter[]): Promise<void> {
  await sleep(200) // for acknowledgements on their way
  const acknowledgedBefore = writers.map((writer) => writer.acknowledgedCount)
  const typedBefore = writers.map(({ ledger }) => ledger.size)
  await waitUntil(
    () => writers.every(({ ledger }, index) => ledger.size >= typedBefore[index]! + 10),
    'typing to go on',
  )
  for (const [index, writer] of writers.entries()) {
    // There are fewer when a saved token is being deleted.
    expect(writer.acknowledgedCount).toBeLessThanOrEqual(acknowledgedBefore[index]!)
    expect(writer.window.status.get().unsaved).toBeGreaterThanOrEqual(10)
  }
}

test('[D3] store slow by 5 s: typing continues, nothing is saved meanwhile, everything arrives', async () => {
  await using server = await KillableServer.start({ storeFault: 'held commits' })
  const healStore = async () => {
    await sleep(5_000)
    await server.healStore()
  }
  await runUnderStoreFault(server, { fails: () => server.breakStore(), heals: healStore }, false)
}, 120_000)

test('[D3] disk read-only: every window shows it, nothing is saved, the store recovers by itself', async () => {
  await using server = await KillableServer.start({ storeFault: 'read-only' })
  const store = { fails: () => server.breakStore(), heals: () => server.healStore() }
  await runUnderStoreFault(server, store, true)
  expect(server.output).toContain('attempt to write a readonly database')
}, 120_000)

test('[D3] disk full: every window shows it, nothing is saved, the store recovers by itself', async ({
  skip,
}) => {
  await using disk = await mountSmallDisk(16 * 1024 * 1024)
  if (!disk.mounted && process.env.CI === undefined) skip('this user may not mount a small disk')
  // The disk is smaller than what a server otherwise keeps free.
  await using server = await KillableServer.start({
    folder: disk.folder,
    environment: { RESERVED_DISK: 'off' },
  })
  await runUnderStoreFault(server, { fails: disk.fill, heals: disk.empty }, true)
  expect(server.output).toContain('database or disk is full')
}, 120_000)
