/** The server's side of /admin: who may see it, and what it shows. */
import type { AdminFigures } from '../../lib/protocol/admin.ts'
import type { Config } from '../config.ts'
import type { LabMetricsSource } from '../lab/server-meter.ts'
import type { StoreKind } from '../store/document-store.ts'
import { version } from '../version.ts'
import { type AdminAccess, createAdminAccess } from './admin-access.ts'
import { startFigureHistory } from './figure-history.ts'

export interface Admin {
  readonly access: AdminAccess
  readFigures(): AdminFigures
  close(): void
}

/** Returns null without a token: then nothing is measured either. */
export function openAdmin(
  { adminToken, trustedProxies }: Pick<Config, 'adminToken' | 'trustedProxies'>,
  source: LabMetricsSource,
  store: StoreKind,
): Admin | null {
  if (adminToken === null) return null
  const history = startFigureHistory(source)
  return {
    access: createAdminAccess({ token: adminToken, trustedProxies }),
    readFigures: () => ({
      version,
      uptimeSeconds: Math.floor(process.uptime()),
      store,
      samples: history.samples,
    }),
    close: () => history.close(),
  }
}
