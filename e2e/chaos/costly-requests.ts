/**
 * Lets one guest ask a real server for what costs it work, memory or disk, kind after kind, while another person's window on a document
 * of its own measures how long its edits and /healthz wait, and the memory of the process is read.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import {
  type AttackCounts,
  costlyRequests,
  createLargeDocument,
  STORE_FAILS,
} from './fixtures/costly-requests.ts'
import { LatencyProbe, type ProbeEdit } from './fixtures/latency-probe.ts'

/** The server goes on with the last requests of an attack for a moment, which is measured as well. */
const AFTERMATH_MS = 1_000
const READ_MEMORY_EVERY_MS = 50
const KIB = 1024

export interface CostlyRequestsOptions {
  /** How long each kind goes on. */
  readonly attackMs: number
  /** By default all. */
  readonly kinds?: readonly string[]
  /** Called once a server and its probe run. */
  onReady?(): void
  onReport?(report: CostlyRequestReport): void
}

export interface CostlyRequestReport extends AttackCounts {
  readonly kind: string
  /** The probe's edits meanwhile; none while the store fails. */
  readonly waited: readonly ProbeEdit[]
  readonly healthChecks: readonly ProbeEdit[]
  /** The most memory that the process had. */
  readonly maxMemoryMiB: number
}

/** Each kind gets a server of its own. @throws {Error} when one dies. */
export async function attackWithCostlyRequests({
  attackMs,
  kinds = Object.keys(costlyRequests),
  onReady = () => {},
  onReport = () => {},
}: CostlyRequestsOptions): Promise<CostlyRequestReport[]> {
  const reports: CostlyRequestReport[] = []
  for (const kind of kinds) {
    reports.push(await attackServer(kind, attackMs, onReady))
    onReport(reports.at(-1)!)
  }
  return reports
}

async function attackServer(
  kind: string,
  attackMs: number,
  onReady: () => void,
): Promise<CostlyRequestReport> {
  await using server = await KillableServer.start({ storeFault: 'read-only' })
  const { pid } = server
  const origin = server.origin('http')
  const large = await createLargeDocument(origin)
  await using probe = await LatencyProbe.start(origin, await createSharedDocument(origin))
  onReady()
  const startedAt = Date.now()
  const memory = watchMemory(pid)
  const counts = { sent: 0, refused: 0 }
  const isOver = (): boolean => Date.now() >= startedAt + attackMs
  const breakStore = (): Promise<void> => server.breakStore()
  const healStore = (): Promise<void> => server.healStore()
  await costlyRequests[kind]!({ origin, ...large, isOver, counts, breakStore, healStore })
  await sleep(AFTERMATH_MS)
  if (server.pid !== pid) throw new Error(`The server died: ${server.output}`)
  const during = ({ at, ms }: ProbeEdit): boolean => at + ms >= startedAt
  return {
    kind,
    ...counts,
    waited: kind === STORE_FAILS ? [] : probe.edits.filter(during),
    healthChecks: probe.healthChecks.filter(during),
    maxMemoryMiB: await memory.stop(),
  }
}

function watchMemory(pid: number): { stop(): Promise<number> } {
  let maxMiB = 0
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      maxMiB = Math.max(maxMiB, await readMemoryMiB(pid))
      await sleep(READ_MEMORY_EVERY_MS)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await watching
      return maxMiB
    },
  }
}

async function readMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / KIB)
}
