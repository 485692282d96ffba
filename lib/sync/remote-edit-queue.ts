/**
 * Applies remote edits in the order in which they arrive: the first at once, and what came in by the time the page gets to its next task
 * together. A page that cannot keep up then lays out its text once a task, not once an edit. Knows neither Yjs nor the server.
 */

type ScheduleTask = (run: () => void) => void

export class RemoteEditQueue {
  readonly #apply: (updates: readonly Uint8Array[]) => void
  readonly #scheduleTask: ScheduleTask
  #waiting: Uint8Array[] = []
  #isTaskScheduled = false

  /** @param apply Never throws. */
  constructor(
    apply: (updates: readonly Uint8Array[]) => void,
    scheduleTask: ScheduleTask = scheduleNextTask,
  ) {
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

  #awaitTask(): void {
    this.#isTaskScheduled = true
    this.#scheduleTask(() => {
      this.#isTaskScheduled = false
      if (this.isEmpty) return
      this.#awaitTask()
      this.applyWaiting()
    })
  }
}

/** Runs it behind the tasks that the event loop has already. A timer would be late in a hidden page. */
const scheduleNextTask: ScheduleTask =
  typeof setImmediate === 'function' ? setImmediate : createMessageScheduler()

function createMessageScheduler(): ScheduleTask {
  const { port1, port2 } = new MessageChannel()
  const runs: (() => void)[] = []
  port1.onmessage = () => runs.shift()?.()
  return (run) => {
    runs.push(run)
    port2.postMessage(null)
  }
}
