/** Measures a crowd's run, and the server's CPU time and memory during it. */
import type { Context } from '../support/context.ts'
import type { ServerProcess } from '../support/server.ts'
import type { Crowd, CrowdLoad } from './crowd.ts'
import type { CrowdTally } from './crowd-tally.ts'

export interface CrowdRun {
  readonly tally: CrowdTally
  readonly seconds: number
  readonly serverCpuMs: number
  /** The CPU time of programs that the server needs: `{ postgres: 120 }`. */
  readonly besideCpuMs?: Readonly<Record<string, number>>
  /** The server's memory at the end of the run. */
  readonly residentKiB: number
}

/** @param warmUp The number of edits of each client before those that are measured. */
export async function measureCrowdRun(
  ctx: Context,
  { server, crowd }: { readonly server: ServerProcess; readonly crowd: Pick<Crowd, 'run'> },
  { warmUp = 0, ...load }: CrowdLoad & { readonly warmUp?: number },
): Promise<CrowdRun> {
  if (warmUp > 0) await crowd.run({ ...load, edits: warmUp })
  return ctx.measure(async () => {
    const before = await server.usage()
    const startedAt = performance.now()
    const tally = await crowd.run(load)
    const after = await server.usage()
    return {
      tally,
      seconds: (performance.now() - startedAt) / 1000,
      serverCpuMs: after.cpuMs - before.cpuMs,
      residentKiB: after.residentKiB,
      ...(after.besideCpuMs && { besideCpuMs: differenceOf(after.besideCpuMs, before.besideCpuMs!) }),
    }
  })
}

const differenceOf = (after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - before[name]!]))
