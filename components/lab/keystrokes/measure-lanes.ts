/** One measurement: each transport in turn is warmed up, then measured with edits on a schedule. Knows no page and no Yjs. */
import type { LinkInfo, TransportId } from '@/lib/transports/transport.ts'
import type { TransportLane, LatencySpread } from './keystrokes-result.ts'

export interface MeasurementPlan {
  readonly transports: readonly TransportId[]
  readonly edits: number
  readonly intervalMs: number
}

export interface MeasurementProgress {
  readonly transport: TransportId
  /** The index among the plan's transports. */
  readonly laneIndex: number
  readonly phase: 'switching' | 'warming up' | 'measuring' | 'waiting'
  /** How many of the measured edits have been made. */
  readonly editCount: number
}

export interface WindowsUnderTest {
  /** Switches all measured windows. Rejects if one of them fails to switch. */
  switchTransport(transport: TransportId): Promise<LinkInfo>
  /** @param dueAt When the edit was due, in ms since 1970, however late it is made. */
  makeEdit(dueAt: number): void
  /** Resolves once all windows have answered all edits so far, or never will. */
  waitForAnswers(signal: AbortSignal): Promise<void>
  /** Measuring starts again from here. */
  reset(): void
  collectFigures(): Pick<TransportLane, 'acknowledged' | 'saved' | 'windows' | 'simulated'>
}

export interface MeasurementClock {
  /** ms since 1970. */
  now(): number
  /** Rejects when the measurement is cancelled. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const WARM_UP_EDITS = 20
const emptySpread: LatencySpread = { count: 0, p50: 0, p95: 0, p99: 0, max: 0 }

/** @throws The abort reason of `signal`. The failure of one transport becomes its lane's problem. */
export async function measureLanes(
  plan: MeasurementPlan,
  windows: WindowsUnderTest,
  clock: MeasurementClock,
  onProgress: (progress: MeasurementProgress) => void,
  signal: AbortSignal,
): Promise<readonly TransportLane[]> {
  const lanes: TransportLane[] = []
  for (const [laneIndex, transport] of plan.transports.entries()) {
    const reportPhase = (phase: MeasurementProgress['phase'], editCount = 0) =>
      onProgress({ transport, laneIndex, phase, editCount })
    lanes.push(await measureLane(plan, transport, windows, clock, reportPhase, signal))
  }
  return lanes
}

async function measureLane(
  { edits, intervalMs }: MeasurementPlan,
  transport: TransportId,
  windows: WindowsUnderTest,
  clock: MeasurementClock,
  reportPhase: (phase: MeasurementProgress['phase'], editCount?: number) => void,
  signal: AbortSignal,
): Promise<TransportLane> {
  try {
    reportPhase('switching')
    const { protocol, up } = await windows.switchTransport(transport)
    signal.throwIfAborted()
    reportPhase('warming up')
    await makeEdits(WARM_UP_EDITS, intervalMs, windows, clock, signal)
    await windows.waitForAnswers(signal)
    windows.reset()
    reportPhase('measuring')
    await makeEdits(edits, intervalMs, windows, clock, signal, (editCount) =>
      reportPhase('measuring', editCount),
    )
    reportPhase('waiting', edits)
    await windows.waitForAnswers(signal)
    return { transport, protocol, up, ...windows.collectFigures() }
  } catch (error) {
    signal.throwIfAborted()
    const problem = error instanceof Error ? error.message : String(error)
    return {
      transport,
      protocol: '',
      acknowledged: emptySpread,
      saved: emptySpread,
      windows: [],
      problem: problem.slice(0, 200),
    }
  }
}

/** An open loop: a late edit counts from when it was due. */
async function makeEdits(
  count: number,
  intervalMs: number,
  windows: WindowsUnderTest,
  clock: MeasurementClock,
  signal: AbortSignal,
  onEdit: (count: number) => void = () => {},
): Promise<void> {
  const start = clock.now() + intervalMs
  for (let index = 0; index < count; index++) {
    const due = start + index * intervalMs
    const waitMs = due - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    signal.throwIfAborted()
    windows.makeEdit(due)
    onEdit(index + 1)
  }
}
