/**
 * Group commit: one transaction at a time; while it is synced to disk the next one collects. So one edit alone waits for one
 * fsync, and many at once share one. Knows calls and order; does not know how they are written.
 */
import type { Failure } from './messages.ts'
import { type Edit, StoreError } from './store.ts'

type Calls = readonly (readonly Edit[])[]
/** Of each call its sequence numbers or its failure; rejects when nothing of them was written. */
export type Commit = (calls: Calls) => Promise<readonly (readonly number[] | Failure)[]>

export interface GroupCommit {
  append(edits: readonly Edit[]): Promise<readonly number[]>
  /** Resolves once nothing is waiting any more, whatever became of it. */
  drained(): Promise<void>
}

interface Call {
  readonly edits: readonly Edit[]
  resolve(sequences: readonly number[]): void
  reject(error: StoreError): void
}

/** Nobody's single key waits behind more than this in one transaction. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024

export const createGroupCommit = (commit: Commit): GroupCommit => {
  let collected: Call[] = []
  let running: Promise<void> | undefined

  const run = async () => {
    // Calls of this turn meet here.
    await Promise.resolve()
    while (collected.length > 0) await commitGroup(takeGroup())
    running = undefined
  }

  const takeGroup = (): Call[] => {
    let bytes = 0
    const end = collected.findIndex((call) => (bytes += bytesOf(call)) > MAX_GROUP_BYTES)
    const group = end === -1 ? collected : collected.slice(0, Math.max(end, 1))
    collected = collected.slice(group.length)
    return group
  }

  const commitGroup = async (group: Call[]) => {
    try {
      const outcomes = await commit(group.map((call) => call.edits))
      group.forEach((call, index) => settle(call, outcomes[index]!))
    } catch (error) {
      for (const call of group) call.reject(notWritten(error as Error))
    }
  }

  return {
    append: (edits) =>
      new Promise((resolve, reject) => {
        collected.push({ edits, resolve, reject })
        running ??= run()
      }),
    drained: async () => {
      while (running !== undefined) await running
    },
  }
}

const settle = (call: Call, outcome: readonly number[] | Failure) => {
  if ('message' in outcome) call.reject(notWritten(outcome))
  else call.resolve(outcome)
}

const notWritten = (cause: Failure) => new StoreError(`Nothing was written: ${cause.message}`, { cause })

const bytesOf = (call: Call) => call.edits.reduce((sum, edit) => sum + edit.update.length, 0)
