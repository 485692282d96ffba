/**
 * Lets one guest ask a real server for what costs it work, memory or disk, kind after kind, while another person's window on a document
 * of its own measures how long its edits and /healthz wait, and the memory of the process is read.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import type { AttackCounts } from './fixtures/attack.ts'
import { costlyRequests, createLargeDocument, STORE_FAILS } from './fixtures/costly-requests.ts'
import { LatencyProbe, PROBE_TEXT, type ProbeEdit } from './fixtures/latency-probe.ts'

/** The server goes on with the last requests of an attack for a moment, which is measured as well. */
const AFTERMATH_MS = 1_000
const KIB = 1024

export interface CostlyRequestsOptions {
  /** Ends an attack. @param ms How long it has gone on. */
  isOver(counts: AttackCounts, ms: number): boolean
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

/** Each kind gets a server of its own. @throws {Error} when one dies, or loses an edit of the probe. */
export async function attackWithCostlyRequests({
  kinds = Object.keys(costlyRequests),
  ...options
}: CostlyRequestsOptions): Promise<CostlyRequestReport[]> {
  const reports: CostlyRequestReport[] = []
  for (const kind of kinds) {
    const report = await attackServer(kind, options)
    reports.push(report)
    options.onReport?.(report)
  }
  return reports
}

async function attackServer(
  kind: string,
  { isOver, onReady = () => {} }: CostlyRequestsOptions,
): Promise<CostlyRequestReport> {
  const described = costlyRequests[kind]!
  const attack = 'prepare' in described ? described.prepare() : described
  await using server = await KillableServer.start({ storeFault: 'read-only' })
  const { pid } = server
  const origin = server.origin('http')
  const large = await createLargeDocument(origin)
  const probed = await createSharedDocument(origin)
  await using probe = await LatencyProbe.start(origin, probed)
  onReady()
  const startedAt = Date.now()
  const counts = { sent: 0, refused: 0 }
  await attack({
    origin,
    ...large,
    counts,
    isOver: () => isOver(counts, Date.now() - startedAt),
    breakStore: () => server.breakStore(),
    healStore: () => server.healStore(),
  })
  await sleep(AFTERMATH_MS)
  await probe.whenSavedAfter(Date.now())
  if (server.pid !== pid) throw new Error(`The server died: ${server.output}`)
  await requireAllStored(server, probed, probe)
  const during = ({ at, ms }: ProbeEdit): boolean => at + ms >= startedAt
  return {
    kind,
    ...counts,
    waited: kind === STORE_FAILS ? [] : probe.edits.filter(during),
    healthChecks: probe.healthChecks.filter(during),
    maxMemoryMiB: await readMaxMemoryMiB(pid),
  }
}

async function requireAllStored(
  server: KillableServer,
  { id }: SharedDocument,
  probe: LatencyProbe,
): Promise<void> {
  const saved = probe.edits.length
  const stored = (await server.readStoredDocument(id)).getText(PROBE_TEXT).length
  if (stored < saved) throw new Error(`Of ${saved} edits that were saved the store has ${stored}.`)
}

async function readMaxMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / KIB)
}
