/** Runs it behind the tasks that the event loop has already. A timer would be late in a hidden page. */
export const runInNextTask: (run: () => void) => void =
  typeof setImmediate === 'function' ? (run) => void setImmediate(run) : createMessageScheduler()

function createMessageScheduler(): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel()
  const runs: (() => void)[] = []
  port1.onmessage = () => runs.shift()?.()
  return (run) => {
    runs.push(run)
    port2.postMessage(null)
  }
}
