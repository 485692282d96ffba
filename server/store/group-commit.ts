/**
 * Group commit: one transaction runs at a time, and while it is synced to disk the next one collects. So a single edit waits for
 * one fsync, and many at once share one. It knows calls and order; it does not know how they are written.
 */
import type { SerializedError } from './worker-messages.ts'
import { AppendConflict, type DocumentEdit, StoreError } from './store.ts'

type AppendCalls = readonly (readonly DocumentEdit[])[]
/** Returns for each call its sequence numbers or its failure; rejects when nothing was written. */
export type GroupCommitter = (calls: AppendCalls) => Promise<readonly (readonly number[] | SerializedError)[]>

export interface GroupCommit {
  append(edits: readonly DocumentEdit[]): Promise<readonly number[]>
  /** Resolves once no call is waiting, whatever the outcomes. */
  whenDrained(): Promise<void>
}

interface AppendCall {
  readonly edits: readonly DocumentEdit[]
  resolve(sequences: readonly number[]): void
  reject(error: StoreError): void
}

/** A single edit waits for no more than this in one transaction: it takes some 20 ms, 8 MiB take 80. */
export const MAX_GROUP_BYTES = 2 * 1024 * 1024
/** What belongs to an edit beside its bytes is encoded on the main thread: this many take some 5 ms. */
const MAX_GROUP_EDITS = 2_000

export const createGroupCommit = (commit: GroupCommitter): GroupCommit => {
  let waitingCalls: AppendCall[] = []
  let runningCommits: Promise<void> | undefined

  const commitWaiting = async () => {
    // Collects the calls of this turn of the event loop.
    await Promise.resolve()
    while (waitingCalls.length > 0) await commitGroup(takeGroup())
    runningCommits = undefined
  }

  const takeGroup = (): AppendCall[] => {
    let bytes = 0
    let edits = 0
    const end = waitingCalls.findIndex((call) => {
      bytes += callBytes(call)
      edits += call.edits.length
      return bytes > MAX_GROUP_BYTES || edits > MAX_GROUP_EDITS
    })
    const group = end === -1 ? waitingCalls : waitingCalls.slice(0, Math.max(end, 1))
    waitingCalls = waitingCalls.slice(group.length)
    return group
  }

  const commitGroup = async (group: AppendCall[]) => {
    try {
      const outcomes = await commit(group.map((call) => call.edits))
      group.forEach((call, index) => settleCall(call, outcomes[index]!))
    } catch (error) {
      for (const call of group) call.reject(writeError(error as Error))
    }
  }

  return {
    append: (edits) =>
      new Promise((resolve, reject) => {
        waitingCalls.push({ edits, resolve, reject })
        runningCommits ??= commitWaiting()
      }),
    whenDrained: async () => {
      while (runningCommits !== undefined) await runningCommits
    },
  }
}

const settleCall = (call: AppendCall, outcome: readonly number[] | SerializedError) => {
  if ('message' in outcome) call.reject(writeError(outcome))
  else call.resolve(outcome)
}

const writeError = (cause: SerializedError): StoreError =>
  cause.conflictingClients
    ? new AppendConflict(cause.conflictingClients)
    : new StoreError(`Nothing was written: ${cause.message}`, { cause })

const callBytes = (call: AppendCall) => call.edits.reduce((sum, edit) => sum + edit.update.length, 0)
