/** Knows who is idle (W4). That is a person, not a window: a preview that nobody clicks stays active while they type in another one. */
import type { Clock } from '../session/clock.ts'

/** A person is idle after this long without input in any window. */
export const IDLE_MS = 5 * 60_000

interface InputTarget {
  addEventListener(type: string, listener: () => void, options: AddEventListenerOptions): void
}

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Reports when this window gets input again, and when it has had none for a while: changes alone. Returns a function that stops it. */
export function watchActivity(
  target: InputTarget,
  clock: Clock,
  onChange: (active: boolean) => void,
): () => void {
  const abort = new AbortController()
  let last = clock.now()
  let cancel = clock.after(IDLE_MS, checkIdle)
  let active = true
  function checkIdle(): void {
    const left = last + IDLE_MS - clock.now()
    if (left > 0) cancel = clock.after(left, checkIdle)
    else onChange((active = false))
  }
  function onInput(): void {
    last = clock.now()
    if (active) return
    cancel = clock.after(IDLE_MS, checkIdle)
    onChange((active = true))
  }
  const options = { capture: true, passive: true, signal: abort.signal }
  for (const input of inputs) target.addEventListener(input, onInput, options)
  return () => {
    abort.abort()
    cancel()
  }
}
