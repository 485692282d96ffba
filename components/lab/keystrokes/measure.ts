/** One measurement: each transport in turn, warmed up, then so many edits at their times. Knows no page and no Yjs. */
import type { LinkInfo, TransportId } from '@/lib/transports/transport.ts'
import type { Lane, Spread } from './result.ts'

export interface Plan {
  readonly transports: readonly TransportId[]
  readonly edits: number
  readonly intervalMs: number
}

export interface Progress {
  readonly transport: TransportId
  /** From 0, of the plan's transports. */
  readonly turn: number
  readonly phase: 'switching' | 'warming up' | 'measuring' | 'waiting'
  /** Of the edits that are measured. */
  readonly made: number
}

export interface Subject {
  /** All windows that are measured go over. Rejects when one of them does not. */
  switchTo(transport: TransportId): Promise<LinkInfo>
  /** @param intended ms since 1970, whatever it waited for. */
  edit(intended: number): void
  /** Resolves once all edits so far were answered by all windows, or will not be. */
  answered(signal: AbortSignal): Promise<void>
  /** From here on counts. */
  reset(): void
  figures(): Pick<Lane, 'acknowledged' | 'saved' | 'windows' | 'simulated'>
}

export interface Time {
  /** ms since 1970. */
  now(): number
  /** Rejects when the measurement is given up. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const WARM_UP_EDITS = 20
const none: Spread = { count: 0, p50: 0, p95: 0, p99: 0, max: 0 }

/** @throws what `signal` was aborted with. What one transport fails with becomes its lane's problem. */
export async function measure(
  plan: Plan,
  subject: Subject,
  time: Time,
  tell: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<readonly Lane[]> {
  const lanes: Lane[] = []
  for (const [turn, transport] of plan.transports.entries()) {
    const say = (phase: Progress['phase'], made = 0) => tell({ transport, turn, phase, made })
    lanes.push(await lane(plan, transport, subject, time, say, signal))
  }
  return lanes
}

async function lane(
  { edits, intervalMs }: Plan,
  transport: TransportId,
  subject: Subject,
  time: Time,
  say: (phase: Progress['phase'], made?: number) => void,
  signal: AbortSignal,
): Promise<Lane> {
  try {
    say('switching')
    const { protocol, up } = await subject.switchTo(transport)
    signal.throwIfAborted()
    say('warming up')
    await make(WARM_UP_EDITS, intervalMs, subject, time, signal)
    await subject.answered(signal)
    subject.reset()
    say('measuring')
    await make(edits, intervalMs, subject, time, signal, (made) => say('measuring', made))
    say('waiting', edits)
    await subject.answered(signal)
    return { transport, protocol, up, ...subject.figures() }
  } catch (error) {
    signal.throwIfAborted()
    const problem = error instanceof Error ? error.message : String(error)
    return {
      transport,
      protocol: '',
      acknowledged: none,
      saved: none,
      windows: [],
      problem: problem.slice(0, 200),
    }
  }
}

/** An open loop: an edit that is made late counts from when it was due. */
async function make(
  count: number,
  intervalMs: number,
  subject: Subject,
  time: Time,
  signal: AbortSignal,
  made: (count: number) => void = () => {},
): Promise<void> {
  const start = time.now() + intervalMs
  for (let index = 0; index < count; index++) {
    const due = start + index * intervalMs
    const early = due - time.now()
    if (early > 0) await time.sleep(early, signal)
    signal.throwIfAborted()
    subject.edit(due)
    made(index + 1)
  }
}
