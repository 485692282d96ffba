/** Records moments in every measured page, from before the page's own scripts run. */
import type { Paint } from './typed-windows.ts'

export interface PageRecorder {
  /** Returns the browser's clock, in ms: one for all its pages, except for what `clockDifference` finds. */
  now(): number
  /** The moments at which keys with a letter went down. */
  readonly keys: number[]
  /** Calls `run` with the moment of the first task after the next frame, when all earlier changes are on screen. */
  afterFrame(run: (at: number) => void): void
  /** Returns a list that receives each new number of letters in the element, once a frame has shown it. It has none at first. */
  recordPaints(element: Element, countLetters: () => number): Paint[]
}

declare global {
  interface Window {
    recorder: PageRecorder
  }
}

/** Is sent to the page by itself, so that it refers to nothing outside. */
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
  const recordPaints = (element: Element, countLetters: () => number): Paint[] => {
    const paints: Paint[] = []
    let shown = 0
    const observer = new MutationObserver(() => {
      const letters = countLetters()
      if (letters === shown) return
      shown = letters
      afterFrame((at) => void paints.push({ letters, at }))
    })
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return paints
  }
  window.recorder = { now, keys, afterFrame, recordPaints }
}
