/** The answer of GET /healthz, for people, for a proxy that chooses a node, and for whoever restarts a server that does not answer. */
import type { StoreKind } from './store/document-store.ts'
import { withTimeout } from './timeouts.ts'

export type Health = {
  readonly status: 'ok' | 'draining' | 'failing'
  readonly version: string
  readonly uptimeSeconds: number
  readonly store: StoreKind
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
}: HealthCheckOptions): () => Promise<Health> {
  const startedAt = performance.now()
  let checking: Promise<boolean> | null = null

  /** Concurrent callers share one check, so that frequent calls cost the store nothing. */
  const isStoreWorking = (): Promise<boolean> =>
    (checking ??= isResolvedInTime(checkStore()).finally(() => (checking = null)))

  return async () => {
    const uptimeSeconds = Math.floor((performance.now() - startedAt) / 1000)
    if (draining()) return { status: 'draining', version, uptimeSeconds, store }
    return { status: (await isStoreWorking()) ? 'ok' : 'failing', version, uptimeSeconds, store }
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
