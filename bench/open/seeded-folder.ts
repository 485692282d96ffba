/** Fills a server's data folder with the recorded paper: a client writes it into the server, edit by edit. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Scope } from '../support/context.ts'
import type { DocumentAddress } from '../crowd/crowd-protocol.ts'
import { createDocument, type MeasuredServer } from '../crowd/measured-servers.ts'
import { writeUpdates } from '../crowd/write-updates.ts'
import type { ServerCommand, ServerProcess } from '../support/server.ts'
import { createPaperUpdates } from './paper-updates.ts'

/** So long no processor time is spent. */
const IDLE_MS = 500

export interface SeededFolder {
  readonly place: DocumentAddress
  readonly folder: string
}

export const seedFolderOnce = async (
  ctx: Context,
  measured: MeasuredServer,
  edits: number,
): Promise<SeededFolder> => {
  const updates = await ctx.shared('the paper', async () => {
    ctx.say('  Making updates of the recorded edits')
    return createPaperUpdates(edits)
  })
  return ctx.shared(`seeded ${measured.subject}`, (scope) => {
    ctx.say(`  Writing ${updates.length} edits into ${measured.subject}`)
    return seedFolder(scope, measured, updates)
  })
}

async function seedFolder(
  scope: Scope,
  measured: MeasuredServer,
  updates: readonly Uint8Array[],
): Promise<SeededFolder> {
  const server = await scope.startServer(measured.command())
  const place = { ...(await createDocument(server, measured.protocol)), author: 1 }
  await writeUpdates(server, measured.protocol, place, updates)
  await untilIdle(server)
  await server.stop()
  return { place, folder: server.dataDir }
}

/** Waits until the server has compacted what was written: otherwise it would do so while the first client is measured. */
async function untilIdle(server: ServerProcess): Promise<void> {
  for (let before = Number.NaN; ;) {
    const { cpuMs } = await server.usage()
    if (cpuMs === before) return
    before = cpuMs
    await sleep(IDLE_MS)
  }
}

/** Starts a server on a copy of the folder, so that nothing is in its memory when the first client comes. */
export async function startSeededServer(
  scope: Scope,
  { folder }: SeededFolder,
  command: ServerCommand,
): Promise<ServerProcess> {
  const dataDir = join(scope.folder, 'seeded')
  await cp(folder, dataDir, { recursive: true })
  return scope.startServer({ ...command, env: { ...command.env, DATA_DIR: dataDir } })
}
