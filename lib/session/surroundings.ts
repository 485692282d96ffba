/** What a browser tells of the world around a window. Outside browsers nothing is told. Does not know links. */
import type { Clock } from './clock.ts'

export interface Surrounded {
  /** The window came back: timers may have slept. */
  nudge(): void
  /** The machine is on another network, or on one again. */
  networkChanged(): void
}

/** Not in every browser, and not yet in TypeScript's DOM. */
export interface ConnectionLike extends EventTarget {
  /** 'wifi', 'cellular'. Desktop browsers do not tell it. */
  readonly type?: string
}

export interface SurroundingsLike {
  readonly window: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  readonly document: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
    readonly visibilityState: string
  }
  readonly connection?: ConnectionLike | undefined
}

/** Where the kind of network is not told, each new estimate of its speed looks like a change. */
const CHANGE_PAUSE_MS = 60_000

function ofThisPage(): SurroundingsLike | null {
  if (typeof window === 'undefined') return null
  const { connection } = navigator as Navigator & { connection?: ConnectionLike }
  return { window, document, connection }
}

/** Returns its undo. */
export function listenToSurroundings(
  session: Surrounded,
  clock: Pick<Clock, 'now'>,
  around: SurroundingsLike | null = ofThisPage(),
): () => void {
  if (!around) return () => {}
  const onVisible = () => around.document.visibilityState === 'visible' && session.nudge()
  const onOnline = () => session.networkChanged()
  const onChange = telling(around.connection, clock, () => session.networkChanged())
  around.window.addEventListener('online', onOnline)
  around.document.addEventListener('visibilitychange', onVisible)
  around.connection?.addEventListener('change', onChange)
  return () => {
    around.window.removeEventListener('online', onOnline)
    around.document.removeEventListener('visibilitychange', onVisible)
    around.connection?.removeEventListener('change', onChange)
  }
}

/** Of the changes of an estimate only those that may be a change of network. */
function telling(connection: ConnectionLike | undefined, clock: Pick<Clock, 'now'>, tell: () => void) {
  let type = connection?.type
  let toldAt = -Infinity
  return () => {
    const same = type !== undefined && connection?.type === type
    type = connection?.type
    if (same || (type === undefined && clock.now() - toldAt < CHANGE_PAUSE_MS)) return
    toldAt = clock.now()
    tell()
  }
}
