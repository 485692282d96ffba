/** Writes into a document through the server's own door, as one client of a crowd. */
import type { ServerProcess } from '../support/server.ts'
import type { DocumentAddress } from './protocol.ts'
import { type CrowdProtocolName, crowdProtocols } from './protocols.ts'

/** Edits that may be unacknowledged. */
const AT_ONCE = 500

/** Resolves once the server has acknowledged all of them, in its own sense. */
export async function writeUpdates(
  { plainOrigin }: ServerProcess,
  protocol: CrowdProtocolName,
  place: DocumentAddress,
  updates: readonly Uint8Array[],
): Promise<void> {
  const ended = Promise.withResolvers<never>()
  let acknowledged = 0
  let onProgress = (): void => {}
  const connection = await crowdProtocols[protocol].open(plainOrigin, place, {
    onAcknowledged(count) {
      acknowledged = count
      onProgress()
    },
    onClosed: (why) => ended.reject(new Error(`The connection ended while it was written to: ${why}`)),
  })
  const untilAcknowledged = async (count: number): Promise<void> => {
    while (acknowledged < count)
      await Promise.race([new Promise<void>((resolve) => (onProgress = resolve)), ended.promise])
  }
  for (const [index, update] of updates.entries()) {
    connection.sendEdit(update)
    await untilAcknowledged(index + 2 - AT_ONCE)
  }
  await untilAcknowledged(updates.length)
  connection.close()
}
