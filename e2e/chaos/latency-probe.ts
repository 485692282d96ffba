/**
 * A window on a document of its own, in a process of its own, that measures what its edits wait for while others are busy with the
 * server. Their work takes none of its thread's time.
 */
import { join } from 'node:path'
import { startChild, type TestChild } from '../../server/fixtures/child-process.ts'
import type { SharedDocument } from '../../server/fixtures/real-server.ts'
import { pause } from './chaos-writers.ts'

/** One edit of the probe. */
export interface ProbeEdit {
  /** Date.now() when it was made. */
  readonly at: number
  /** Until it was acknowledged. */
  readonly ms: number
}

export class LatencyProbe implements AsyncDisposable {
  readonly #child: TestChild

  /** Its first edit is acknowledged. @throws {Error} when its process ends before that. */
  static async start(origin: string, document: SharedDocument): Promise<LatencyProbe> {
    const file = join(import.meta.dirname, 'latency-probe-window.ts')
    const probe = new LatencyProbe(
      startChild(process.execPath, [file, origin, document.id, document.tokens.editor]),
    )
    let hasEnded = false
    void probe.#child.ended.then(() => (hasEnded = true))
    while (probe.edits.length === 0) {
      if (hasEnded) throw new Error(`The probe ended: ${probe.#child.stderr()}`)
      await pause(20)
    }
    return probe
  }

  private constructor(child: TestChild) {
    this.#child = child
  }

  /** All its edits so far, in order. */
  get edits(): ProbeEdit[] {
    const lines = this.#child.stdout().split('\n').slice(0, -1)
    return lines.map((line) => {
      const [editedAt, acknowledgedAfterMs] = line.split(' ').map(Number) as [number, number]
      return { at: editedAt, ms: acknowledgedAfterMs }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
  }
}

/** @param edits In any order. @param share From 0 to 1. Returns 0 where there is none. */
export function quantileOf(edits: readonly ProbeEdit[], share: number): number {
  const sorted = edits.map(({ ms: acknowledgedAfterMs }) => acknowledgedAfterMs).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
