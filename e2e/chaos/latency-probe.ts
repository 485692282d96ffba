/**
 * A window on its own document, in its own process, that measures how long its edits wait while others load the server. The others'
 * work takes no time of its thread.
 */
import { join } from 'node:path'
import { startChild, type TestChild } from '../../server/fixtures/child-process.ts'
import type { SharedDocument } from '../../server/fixtures/real-server.ts'
import { pause } from './chaos-writers.ts'

/** One edit of the probe. */
export interface ProbeEdit {
  /** Date.now() when the edit was made. */
  readonly at: number
  /** Milliseconds until the edit was saved. */
  readonly ms: number
}

export class LatencyProbe implements AsyncDisposable {
  readonly #child: TestChild

  /**
   * Resolves when its first edit is saved.
   * @throws {Error} when its process ends before that.
   */
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

  /** Returns all its edits so far, in order. */
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

/**
 * @param edits In any order.
 * @param share From 0 to 1.
 * @returns 0 when there are no edits.
 */
export function quantileOf(edits: readonly ProbeEdit[], share: number): number {
  const sorted = edits.map(({ ms: acknowledgedAfterMs }) => acknowledgedAfterMs).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
