/** The server's side of /admin: who may see it, and what it shows. */
import type { AdminFigures } from '../../lib/protocol/admin.ts'
import type { Config } from '../config.ts'
import type { LabMetricsSource } from '../lab/server-meter.ts'
import type { Nodes } from '../nodes/nodes.ts'
import type { ServerSpace } from '../storage/server-space.ts'
import type { StoreKind } from '../store/document-store.ts'
import { version } from '../version.ts'
import { type AdminAccess, createAdminAccess } from './admin-access.ts'
import { startFigureHistory } from './figure-history.ts'

export interface Admin {
  readonly access: AdminAccess
  readFigures(): AdminFigures
  close(): void
}

/**
 * Returns null without a token: then nothing is measured either.
 * @param nodes Null for a server that can only be alone.
 */
export function openAdmin(
  {
    adminToken,
    trustedProxies,
    limitStorageOfPerson,
  }: Pick<Config, 'adminToken' | 'trustedProxies' | 'limitStorageOfPerson'>,
  source: LabMetricsSource,
  store: StoreKind,
  nodes: Pick<Nodes, 'self' | 'others'> | null,
  space: Pick<ServerSpace, 'figures'>,
): Admin | null {
  if (adminToken === null) return null
  const history = startFigureHistory(source)
  return {
    access: createAdminAccess({ token: adminToken, trustedProxies }),
    readFigures: () => ({
      version,
      uptimeSeconds: Math.floor(process.uptime()),
      store,
      node: nodes && { name: nodes.self, count: nodes.others.length + 1 },
      space: { ...space.figures, personLimitBytes: limitStorageOfPerson },
      samples: history.samples,
    }),
    close: () => history.close(),
  }
}
