/** Measures what a cut connection costs a window that has the document: all bytes at a TCP proxy until nothing more is sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransportId } from '../../lib/transports/transport.ts'
import { isUp, type ProxiedServer, waitForStatus } from './proxied-server.ts'

export interface LinkResumption {
  readonly documentBytes: number
  readonly up: number
  readonly down: number
  /** The ms from the cut to a proven link. */
  readonly took: number
}

/** Is longer than a window may delay an acknowledgement. */
const REST_MS = 400
/** A link that polls may have had no request open, and then notices nothing. */
const UNNOTICED_MS = 1_500

export interface ResumptionOptions {
  readonly transport: TransportId
  readonly scheme: 'http' | 'https'
  readonly documentBytes: number
}

export async function measureResumption(
  server: ProxiedServer,
  options: ResumptionOptions,
): Promise<LinkResumption> {
  const { transport, scheme, documentBytes } = options
  const document = await server.newDocument()
  const opened = server.open(document, scheme, transport)
  const wire = server.wires[scheme]
  try {
    await opened.whenSynced
    opened.doc.getText('bench').insert(0, 'x'.repeat(documentBytes))
    await opened.whenSaved()
    await sleep(REST_MS)
    const before = { ...wire.passedBytes }
    const start = performance.now()
    wire.cutConnections()
    await Promise.race([waitForStatus(opened, (window) => !isUp(window)), sleep(UNNOTICED_MS)])
    const up = await waitForStatus(opened, isUp)
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
