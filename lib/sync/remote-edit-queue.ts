/**
 * Applies remote edits in the order in which they arrive: the first at once, and what came in by the time the page gets to its next task
 * together. A page that cannot keep up then lays out its text once a task, not once an edit. Of large edits a task applies few, so that keys are
 * answered between them. Knows neither Yjs nor the server.
 */

import { runInNextTask } from '../next-task.ts'

/** In bytes, some 1,000 short paragraphs. An edit that is larger has a task of its own. */
const MAX_TASK_BYTES = 65_536

type ScheduleTask = (run: () => void) => void

export class RemoteEditQueue {
  readonly #apply: (updates: readonly Uint8Array[]) => void
  readonly #scheduleTask: ScheduleTask
  #waiting: Uint8Array[] = []
  #isTaskScheduled = false

  /** @param apply Never throws. */
  constructor(apply: (updates: readonly Uint8Array[]) => void, scheduleTask: ScheduleTask = runInNextTask) {
    this.#apply = apply
    this.#scheduleTask = scheduleTask
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(update: Uint8Array): void {
    this.#waiting.push(update)
    if (this.#isTaskScheduled) return
    this.#awaitTask()
    this.applyWaiting()
  }

  /** Applies what waits, because the caller depends on it. */
  applyWaiting(): void {
    if (this.isEmpty) return
    const updates = this.#waiting
    this.#waiting = []
    this.#apply(updates)
  }

  #applySome(): void {
    let [count, bytes] = [1, this.#waiting[0]!.length]
    while (count < this.#waiting.length && bytes + this.#waiting[count]!.length <= MAX_TASK_BYTES)
      bytes += this.#waiting[count++]!.length
    this.#apply(this.#waiting.splice(0, count))
  }

  #awaitTask(): void {
    this.#isTaskScheduled = true
    this.#scheduleTask(() => {
      this.#isTaskScheduled = false
      if (this.isEmpty) return
      this.#awaitTask()
      this.#applySome()
    })
  }
}
