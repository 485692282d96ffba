/** Who is idle (W4). A person is, not a window: a preview that nobody clicks stays awake while they type in another one. */
import type { Clock } from '../session/clock.ts'

/** Without input in any window for so long, a person is idle. */
export const IDLE_MS = 5 * 60_000

interface InputTarget {
  addEventListener(type: string, listener: () => void, options: AddEventListenerOptions): void
}

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Tells when this window gets input again, and when it has had none for a while: changes alone. Returns the undo. */
export function watchInput(
  target: InputTarget,
  clock: Clock,
  onChange: (active: boolean) => void,
): () => void {
  const end = new AbortController()
  let last = clock.now()
  let cancel = clock.after(IDLE_MS, look)
  let active = true
  function look(): void {
    const left = last + IDLE_MS - clock.now()
    if (left > 0) cancel = clock.after(left, look)
    else onChange((active = false))
  }
  function onInput(): void {
    last = clock.now()
    if (active) return
    cancel = clock.after(IDLE_MS, look)
    onChange((active = true))
  }
  const options = { capture: true, passive: true, signal: end.signal }
  for (const input of inputs) target.addEventListener(input, onInput, options)
  return () => {
    end.abort()
    cancel()
  }
}
