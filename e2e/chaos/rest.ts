/** How a run of writers comes to rest, and what must hold then. */
import type * as Y from 'yjs'
import { complaints, equal } from './oracle.ts'
import { OurWriter, pause, type Writer } from './writers.ts'

/** Generous: it tells a hang from a slow machine. */
const PATIENCE_MS = 60_000

/** Everything is acknowledged, and all replicas are equal. They must have been stopped. */
export async function comeToRest(writers: readonly Writer[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.stopped()))
  const ours = writers.filter((writer) => writer instanceof OurWriter)
  await within('acknowledgement of everything', Promise.all(ours.map((writer) => writer.acknowledge())))
  await comesToHold('equality of all replicas', () => writers.every(({ doc }) => equal(doc, writers[0]!.doc)))
}

/** The oracle over all replicas and the store, once everything is at rest. */
export function checkEverywhere(docs: readonly Y.Doc[], writers: readonly Writer[]): void {
  // At rest nothing is on its way any more: what one holds, all hold.
  for (const [token, fate] of writers.flatMap(({ ledger }) => [...ledger]))
    if (fate === 'said') writerOf(writers, token).ledger.set(token, 'saved')
    else if (fate === 'deleting') writerOf(writers, token).ledger.set(token, 'deleted')
  for (const doc of docs) {
    const wrong = complaints(doc, ledgersOf(writers))
    if (wrong.length > 0) throw new Error(`in the end: ${wrong.slice(0, 5).join('; ')}`)
    if (!equal(doc, docs[0]!)) throw new Error('in the end the store differs from the replicas')
  }
}

const writerOf = (writers: readonly Writer[], token: string): Writer =>
  writers.find(({ ledger }) => ledger.has(token)) as Writer

export const ledgersOf = (writers: readonly Writer[]) => writers.map(({ ledger }) => ledger)

export const acknowledgedBy = (writers: readonly Writer[]): number =>
  writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)

/** For the report of a failed run. */
export function describeWriter(writer: Writer): string {
  const state = writer instanceof OurWriter ? JSON.stringify(writer.window.status.get()) : 'stock'
  return `${writer.name}: ${writer.ledger.size} tokens, ${writer.acknowledged} acknowledged, ${state}`
}

export async function comesToHold(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`still waiting for ${what}`)
    await pause(10)
  }
}

async function within<Result>(
  what: string,
  work: Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const late = new AbortController()
  const tooLate = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`still waiting for ${what}`)), patienceMs)
    late.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  return Promise.race([work, tooLate]).finally(() => late.abort())
}
