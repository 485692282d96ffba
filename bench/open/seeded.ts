/** A server's data folder with the paper in it, written edit by edit through the server's own door. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Scope } from '../support/context.ts'
import type { DocumentAddress } from '../crowd/protocol.ts'
import { createDocument, type MeasuredServer } from '../crowd/servers.ts'
import { writeUpdates } from '../crowd/write-updates.ts'
import type { ServerCommand, ServerProcess } from '../support/server.ts'
import { updatesOfPaper } from './paper.ts'

export interface SeededFolder {
  readonly place: DocumentAddress
  readonly folder: string
}

export const seedOnce = async (
  ctx: Context,
  measured: MeasuredServer,
  edits: number,
): Promise<SeededFolder> => {
  const updates = await ctx.shared('the paper', async () => {
    ctx.say('  the recorded edits are made into updates')
    return updatesOfPaper(edits)
  })
  return ctx.shared(`seeded ${measured.subject}`, (scope) => {
    ctx.say(`  ${updates.length} edits go into ${measured.subject}`)
    return seed(scope, measured, updates)
  })
}

async function seed(
  scope: Scope,
  measured: MeasuredServer,
  updates: readonly Uint8Array[],
): Promise<SeededFolder> {
  const server = await scope.startServer(measured.command())
  const place = { ...(await createDocument(server, measured.protocol)), author: 1 }
  await writeUpdates(server, measured.protocol, place, updates)
  await server.stop()
  return { place, folder: server.dataDir }
}

/** A server that has just started on a copy of it: whoever comes first, comes cold. */
export async function startSeeded(
  scope: Scope,
  { folder }: SeededFolder,
  command: ServerCommand,
): Promise<ServerProcess> {
  const dataDir = join(scope.folder, 'seeded')
  await cp(folder, dataDir, { recursive: true })
  return scope.startServer({ ...command, env: { ...command.env, DATA_DIR: dataDir } })
}
