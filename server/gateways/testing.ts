import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import type { Net } from '../../lib/transports/net/net.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Harness } from '../../lib/transports/transport.contract.ts'
import type { Link, Transport } from '../../lib/transports/transport.ts'
import type { TestServer } from './test-server.ts'

/** What the contract of transports asks of the server's side, whatever the client's. */
export const harnessOn = (
  server: TestServer,
  net: Net,
  { id }: Transport,
): Omit<Harness, 'transport' | 'target'> => ({
  accepted: () => server.acceptor.next(),
  allClosed: () => server.acceptor.allClosed(),
  knocks: () => server.knocks.length,
  refuse: () => void (server.refusal = { status: 403, code: 'forbidden', message: 'Not today.' }),
  admit: () => void (server.refusal = undefined),
  async cut() {
    // Between two long polls there is nothing to cut.
    while (id === 'long-poll' && server.waitingPolls === 0) await sleep(1)
    server.cut()
  },
  async close() {
    net.dispose()
    await server.close()
  },
})

/** Enough for the buffers of both kernels and of both processes. */
const MOST_BYTES = 100 * 1024 * 1024

/** Sends frames until one is not taken within 100 ms, and gives that one's promise, wrapped against awaiting. */
export async function stalledSend(
  link: Link,
  frameBytes: number = MAX_FRAME_BYTES,
): Promise<{ promise: Promise<void> }> {
  for (let sent = 0; sent < MOST_BYTES; sent += frameBytes) {
    const promise = link.send(new Uint8Array(frameBytes))
    const patience = new Promise((resolve) => setTimeout(resolve, 100, 'stalled'))
    if ((await Promise.race([promise, patience])) === 'stalled') return { promise }
  }
  throw new Error(`${MOST_BYTES} bytes in frames of ${frameBytes} went to a reader that does not read.`)
}
