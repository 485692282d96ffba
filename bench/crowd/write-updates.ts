/** Writes updates into a document as one client of a crowd does. */
import type { ServerProcess } from '../support/server.ts'
import type { DocumentAddress } from './crowd-protocol.ts'
import { type CrowdProtocolName, crowdProtocols } from './crowd-protocols.ts'

/** The most edits that may be unacknowledged. */
const MOST_UNACKNOWLEDGED = 500

/** Resolves once the server has acknowledged all of them, whatever that means with this server. */
export async function writeUpdates(
  { plainOrigin }: ServerProcess,
  protocol: CrowdProtocolName,
  address: DocumentAddress,
  updates: readonly Uint8Array[],
): Promise<void> {
  const ended = Promise.withResolvers<never>()
  let acknowledged = 0
  let onProgress = (): void => {}
  const connection = await crowdProtocols[protocol].open(plainOrigin, address, {
    onAcknowledged(count) {
      acknowledged = count
      onProgress()
    },
    onClosed: (why) => ended.reject(new Error(`The connection ended before all was acknowledged: ${why}`)),
  })
  const untilAcknowledged = async (count: number): Promise<void> => {
    while (acknowledged < count)
      await Promise.race([new Promise<void>((resolve) => (onProgress = resolve)), ended.promise])
  }
  for (const [index, update] of updates.entries()) {
    connection.sendEdit(update)
    await untilAcknowledged(index + 2 - MOST_UNACKNOWLEDGED)
  }
  await untilAcknowledged(updates.length)
  connection.close()
}
