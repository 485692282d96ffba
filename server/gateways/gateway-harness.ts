import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransportHarness } from '../../lib/transports/transport.contract.ts'
import type { Link, Transport } from '../../lib/transports/transport.ts'
import type { GatewayTestServer } from './gateway-test-server.ts'

/** What the contract of transports needs of the server's side, whatever the client. */
export const serverHarnessOf = (
  server: GatewayTestServer,
  net: NetworkPlatform,
  { id }: Transport,
): Omit<TransportHarness, 'transport' | 'target'> => ({
  accepted: () => server.acceptor.next(),
  allClosed: () => server.acceptor.allClosed(),
  attempts: () => server.requestLog.length,
  refuse: () => void (server.refusal = { status: 403, code: 'forbidden', message: 'Not today.' }),
  admit: () => void (server.refusal = undefined),
  async cut() {
    // Between two long polls there is nothing to cut.
    while (id === 'long-poll' && server.waitingPolls === 0) await sleep(1)
    server.cutConnections()
  },
  async close() {
    net.dispose()
    await server.close()
  },
})

/** More than the buffers of both kernels and both processes hold. */
const MAX_SENT_BYTES = 100 * 1024 * 1024

/** Sends frames until one is not taken within 100 ms, and returns its promise, wrapped so that it is not awaited. */
export async function sendUntilStalled(
  link: Link,
  frameBytes: number = MAX_FRAME_BYTES,
): Promise<{ promise: Promise<void> }> {
  for (let sent = 0; sent < MAX_SENT_BYTES; sent += frameBytes) {
    const promise = link.send(new Uint8Array(frameBytes))
    const timeout = new Promise((resolve) => setTimeout(resolve, 100, 'stalled'))
    if ((await Promise.race([promise, timeout])) === 'stalled') return { promise }
  }
  throw new Error(`${MAX_SENT_BYTES} bytes in frames of ${frameBytes} went to a reader that does not read.`)
}
