/** Reports what a browser knows of a window's surroundings. Outside browsers it reports nothing. It does not know links. */
import type { Clock } from './clock.ts'

export interface EnvironmentListener {
  /** The window came back, and timers may have slept; or the machine has left its network, which can take long to show. */
  checkLinkNow(): void
  /** The machine is on another network, or on one again. */
  onNetworkChange(): void
}

/** Some browsers lack it, and TypeScript's DOM types do not have it yet. */
export interface NetworkInformationLike extends EventTarget {
  /** 'wifi', 'cellular'. Desktop browsers do not provide it. */
  readonly type?: string
}

export interface EnvironmentLike {
  readonly window: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  readonly document: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
    readonly visibilityState: string
  }
  readonly connection?: NetworkInformationLike | undefined
}

/** Where a browser does not provide the kind of network, each new estimate of its speed looks like a change. */
const CHANGE_PAUSE_MS = 60_000

function pageEnvironment(): EnvironmentLike | null {
  if (typeof window === 'undefined') return null
  const { connection } = navigator as Navigator & { connection?: NetworkInformationLike }
  return { window, document, connection }
}

/** Returns a function that stops listening. */
export function listenToEnvironment(
  listener: EnvironmentListener,
  clock: Pick<Clock, 'now'>,
  environment: EnvironmentLike | null = pageEnvironment(),
): () => void {
  if (!environment) return () => {}
  const onVisible = () => environment.document.visibilityState === 'visible' && listener.checkLinkNow()
  const onOnline = () => listener.onNetworkChange()
  const onOffline = () => listener.checkLinkNow()
  const onChange = filterNetworkChanges(environment.connection, clock, () => listener.onNetworkChange())
  environment.window.addEventListener('online', onOnline)
  environment.window.addEventListener('offline', onOffline)
  environment.document.addEventListener('visibilitychange', onVisible)
  environment.connection?.addEventListener('change', onChange)
  return () => {
    environment.window.removeEventListener('online', onOnline)
    environment.window.removeEventListener('offline', onOffline)
    environment.document.removeEventListener('visibilitychange', onVisible)
    environment.connection?.removeEventListener('change', onChange)
  }
}

/** Passes on only the changes of an estimate that may be a change of network. */
function filterNetworkChanges(
  connection: NetworkInformationLike | undefined,
  clock: Pick<Clock, 'now'>,
  onNetworkChange: () => void,
) {
  let type = connection?.type
  let notifiedAt = -Infinity
  return () => {
    const isSame = type !== undefined && connection?.type === type
    type = connection?.type
    if (isSame || (type === undefined && clock.now() - notifiedAt < CHANGE_PAUSE_MS)) return
    notifiedAt = clock.now()
    onNetworkChange()
  }
}
