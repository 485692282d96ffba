/** What a cut costs a window that has the document already: every byte at a TCP proxy, from the cut to rest. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransportId } from '../../lib/transports/transport.ts'
import { isSynced, isUp, moment, type ProxiedServer } from './proxied-server.ts'

export interface Resuming {
  readonly documentBytes: number
  readonly up: number
  readonly down: number
  /** From the cut to a proven link, in ms. */
  readonly took: number
}

/** Longer than a confirmation may be owed. */
const REST_MS = 400
const UNNOTICED_MS = 1_500

export interface ResumingOptions {
  readonly transport: TransportId
  readonly scheme: 'http' | 'https'
  readonly documentBytes: number
}

export async function measureResuming(server: ProxiedServer, options: ResumingOptions): Promise<Resuming> {
  const { transport, scheme, documentBytes } = options
  const document = await server.newDocument()
  const opened = server.open(document, scheme, transport)
  const wire = server.wires[scheme]
  try {
    await moment(opened, () => isSynced(opened))
    opened.doc.getText('bench').insert(0, 'x'.repeat(documentBytes))
    await opened.whenSaved()
    await sleep(REST_MS)
    const before = { ...wire.passedBytes }
    const start = performance.now()
    wire.cutConnections()
    // A link that polls may have had no request open: it does not even notice.
    await Promise.race([moment(opened, () => !isUp(opened)), sleep(UNNOTICED_MS)])
    const up = await moment(opened, () => isUp(opened))
    await sleep(REST_MS)
    return {
      documentBytes,
      up: wire.passedBytes.up - before.up,
      down: wire.passedBytes.down - before.down,
      took: up - start,
    }
  } finally {
    await opened.close()
  }
}
