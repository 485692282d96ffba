import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDocument, type Way } from '../../server/fixtures/real-server.ts'
import { comesToHold } from '../chaos/rest.ts'
import { type OurWriter, pause } from '../chaos/writers.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { endure, everybodyGetsOn } from './stage.ts'

const ways: readonly Way[] = [
  { transport: 'websocket', scheme: 'https' },
  { transport: 'sse', scheme: 'https' },
]

/** The store fails while all write, and is well again. */
async function endureStore(
  server: MortalServer,
  { fails, heals }: { fails(): Promise<void>; heals(): Promise<void> },
  saysSo: boolean,
): Promise<void> {
  const document = await makeDocument(server.origin('http'))
  await endure({ server, document, origins: server.origins, ways, thinkingMs: 100 }, async (writers) => {
    await everybodyGetsOn(writers, 3)
    await fails()
    if (saysSo) await comesToHold('everybody to hear of it', () => writers.every(hearsOfFailure))
    if (saysSo) expect(await healthOf(server)).toBe(503)
    await typingGoesOnUnsaved(writers)
    if (saysSo) expect(await healthOf(server)).toBe(503)
    await heals()
    await everybodyGetsOn(writers, 3)
    await comesToHold('nobody to complain any more', () => !writers.some(hearsOfFailure))
    expect(await healthOf(server)).toBe(200)
  })
}

const healthOf = async (server: MortalServer): Promise<number> =>
  (await fetch(`${server.origin('http')}/healthz`)).status

const hearsOfFailure = ({ window }: OurWriter): boolean => {
  const { document } = window.status.get()
  return document.state === 'synced' && document.storeFailing === true
}

async function typingGoesOnUnsaved(writers: readonly OurWriter[]): Promise<void> {
  await pause(200) // for acknowledgements that were on their way
  const acknowledged = writers.map((writer) => writer.acknowledged)
  const typed = writers.map(({ ledger }) => ledger.size)
  await comesToHold('typing to go on', () =>
    writers.every(({ ledger }, index) => ledger.size >= typed[index]! + 10),
  )
  for (const [index, writer] of writers.entries()) {
    // Fewer where a saved token is being deleted.
    expect(writer.acknowledged).toBeLessThanOrEqual(acknowledged[index]!)
    expect(writer.window.status.get().unsaved).toBeGreaterThanOrEqual(10)
  }
}

test('[D3] store slow by 5 s: typing goes on, nothing is acknowledged meanwhile, all arrives', async () => {
  await using server = await MortalServer.start({
    store: import.meta.resolve('../support/holdable-sqlite.ts'),
  })
  const slow = {
    fails: () => server.tell('Commits are held'),
    heals: async () => {
      await pause(5_000)
      await server.tell('Commits go on')
    },
  }
  await endureStore(server, slow, false)
}, 120_000)

test('[D3] disk read-only: every window hears of it, nothing is acknowledged, it heals by itself', async () => {
  await using server = await MortalServer.start({ store: import.meta.resolve('./read-only-sqlite.ts') })
  const readOnly = { fails: () => server.tell('Read-only'), heals: () => server.tell('Writable again') }
  await endureStore(server, readOnly, true)
  expect(server.said).toContain('attempt to write a readonly database')
}, 120_000)

const mounts = (args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0

const DISK_BYTES = 16 * 1024 * 1024

/** Small; not mounted where this user may not mount. */
async function smallDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'diptych-disk-'))
  const mounted = mounts(['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    mounted,
    async fill(): Promise<void> {
      const outcome = await writeFile(filler, Buffer.alloc(DISK_BYTES)).catch((error: unknown) => error)
      expect(outcome).toMatchObject({ code: 'ENOSPC' })
    },
    empty: () => rm(filler),
    async [Symbol.asyncDispose](): Promise<void> {
      if (mounted) spawnSync('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}

test('[D3] disk full: every window hears of it, nothing is acknowledged, it heals by itself', async ({
  skip,
}) => {
  await using disk = await smallDisk()
  if (!disk.mounted && process.env.CI === undefined) skip('this user may not mount a small disk')
  await using server = await MortalServer.start({ folder: disk.folder })
  await endureStore(server, { fails: disk.fill, heals: disk.empty }, true)
  expect(server.said).toContain('database or disk is full')
}, 120_000)
