/** Runs in every measured page before the page's own scripts. */

export interface PageRecorder {
  /** The browser's clock in ms: one for all its pages, but for what `clockDifference` tells. */
  now(): number
  /** The moment of each key that went down and is a letter. */
  readonly keys: number[]
  /** Calls with the moment of the first task after the next frame: what was changed before it is on screen then. */
  afterFrame(run: (at: number) => void): void
}

declare global {
  interface Window {
    recorder: PageRecorder
  }
}

/** Stands alone, since it is sent to the page by itself. */
export function installRecorder(): void {
  const now = (): number => performance.timeOrigin + performance.now()
  const keys: number[] = []
  const onKey = ({ key, timeStamp }: KeyboardEvent): void =>
    void (key.length === 1 && keys.push(performance.timeOrigin + timeStamp))
  addEventListener('keydown', onKey, { capture: true })
  const waiting: ((at: number) => void)[] = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const at = now()
    for (const run of waiting.splice(0)) run(at)
  }
  const afterFrame = (run: (at: number) => void): void =>
    void requestAnimationFrame(() => {
      waiting.push(run)
      port2.postMessage(null)
    })
  window.recorder = { now, keys, afterFrame }
}
