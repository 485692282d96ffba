/**
 * The answers of GET /healthz and GET /readyz. A process that answers is alive, whatever its store does: to restart it would mend
 * nothing. It is ready for requests while its store can write and it is not ending; a proxy chooses nodes by that.
 */
import type { StoreKind } from './store/document-store.ts'
import { withTimeout } from './timeouts.ts'

interface ServerFacts {
  readonly version: string
  readonly uptimeSeconds: number
  readonly store: StoreKind
}

export type LivenessAnswer = ServerFacts & { readonly status: 'ok' }

/** `store`: it cannot write, or did not answer in time. */
export type Readiness = ServerFacts &
  ({ readonly status: 'ready' } | { readonly status: 'not ready'; readonly reason: 'draining' | 'store' })

export interface HealthCheck {
  checkLiveness(): LivenessAnswer
  checkReadiness(): Promise<Readiness>
}

export interface HealthCheckOptions {
  readonly version: string
  readonly storeKind: StoreKind
  /** Rejects while the store cannot write. */
  checkStore(): Promise<void>
  draining(): boolean
}

/** A store that takes longer than this to answer counts as failing. */
const CHECK_TIMEOUT_MS = 2000

export function createHealthCheck({
  version,
  storeKind: store,
  checkStore,
  draining,
}: HealthCheckOptions): HealthCheck {
  const startedAt = performance.now()
  let checking: Promise<boolean> | null = null

  /** Concurrent callers share one check, so that frequent calls cost the store nothing. */
  const isStoreWorking = (): Promise<boolean> =>
    (checking ??= isResolvedInTime(checkStore()).finally(() => (checking = null)))

  const readFacts = (): ServerFacts => ({
    version,
    uptimeSeconds: Math.floor((performance.now() - startedAt) / 1000),
    store,
  })

  return {
    checkLiveness: () => ({ status: 'ok', ...readFacts() }),
    async checkReadiness() {
      if (draining()) return { status: 'not ready', reason: 'draining', ...readFacts() }
      if (!(await isStoreWorking())) return { status: 'not ready', reason: 'store', ...readFacts() }
      return { status: 'ready', ...readFacts() }
    },
  }
}

const isResolvedInTime = (check: Promise<void>): Promise<boolean> =>
  withTimeout(
    CHECK_TIMEOUT_MS,
    check.then(
      () => true,
      () => false,
    ),
    () => false,
  )
