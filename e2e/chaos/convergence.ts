/** Waits until writers have converged, and checks what must hold then. */
import type * as Y from 'yjs'
import { findViolations, haveEqualState } from './oracle.ts'
import { DiptychWriter, pause, type ChaosWriter } from './chaos-writers.ts'

/** A generous limit, which separates a hang from a slow machine. */
const CONVERGENCE_TIMEOUT_MS = 60_000

/** Waits until everything is saved and all replicas are equal. The writers must have been stopped. */
export async function waitForConvergence(writers: readonly ChaosWriter[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.waitUntilStopped()))
  const diptychWriters = writers.filter((writer) => writer instanceof DiptychWriter)
  await withTimeout(
    'acknowledgement of everything',
    Promise.all(diptychWriters.map((writer) => writer.waitForAcknowledgement())),
  )
  await waitUntilTrue('equality of all replicas', () =>
    writers.every(({ doc }) => haveEqualState(doc, writers[0]!.doc)),
  )
}

/** Runs the oracle over all replicas and the store, after convergence. */
export function checkReplicasAndStore(docs: readonly Y.Doc[], writers: readonly ChaosWriter[]): void {
  // After convergence nothing is on its way any more: what one replica has, all have.
  for (const [token, state] of writers.flatMap(({ ledger }) => [...ledger]))
    if (state === 'said') writerOf(writers, token).ledger.set(token, 'saved')
    else if (state === 'deleting') writerOf(writers, token).ledger.set(token, 'deleted')
  for (const doc of docs) {
    const violations = findViolations(doc, ledgersOf(writers))
    if (violations.length > 0) throw new Error(`in the end: ${violations.slice(0, 5).join('; ')}`)
    if (!haveEqualState(doc, docs[0]!)) throw new Error('in the end the store differs from the replicas')
  }
}

const writerOf = (writers: readonly ChaosWriter[], token: string): ChaosWriter =>
  writers.find(({ ledger }) => ledger.has(token)) as ChaosWriter

export const ledgersOf = (writers: readonly ChaosWriter[]) => writers.map(({ ledger }) => ledger)

export const countAcknowledged = (writers: readonly ChaosWriter[]): number =>
  writers.reduce((sum, { acknowledgedCount }) => sum + acknowledgedCount, 0)

/** Describes a writer for the report of a failed run. */
export function describeWriter(writer: ChaosWriter): string {
  const state = writer instanceof DiptychWriter ? JSON.stringify(writer.window.status.get()) : 'stock'
  return `${writer.name}: ${writer.ledger.size} tokens, ${writer.acknowledgedCount} acknowledged, ${state}`
}

export async function waitUntilTrue(
  description: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = CONVERGENCE_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still waiting for ${description}`)
    await pause(10)
  }
}

async function withTimeout<Result>(
  description: string,
  work: Promise<Result>,
  timeoutMs = CONVERGENCE_TIMEOUT_MS,
): Promise<Result> {
  const late = new AbortController()
  const tooLate = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`still waiting for ${description}`)), timeoutMs)
    late.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  return Promise.race([work, tooLate]).finally(() => late.abort())
}
