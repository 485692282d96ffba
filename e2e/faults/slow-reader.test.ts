import { expect, test } from 'vitest'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { haveEqualState } from '../fixtures/oracle.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { testedTransports } from '../fixtures/transport-routes.ts'
import { FaultyNetwork } from '../fixtures/faulty-network.ts'

const EDITS = 200
const EDIT_BYTES = 20 * 1024
/** S6: the limit of what may wait for one session. */
const MAX_LAG_BYTES = 1024 * 1024
/** What is sent besides changes: presence, pongs, and at the end the missed state, whose letters are deleted again. */
const MAX_OTHER_BYTES = 64 * 1024

/** Sends much, of which little stays in the text. The other reader keeps up. */
async function writeHeavily(writer: OpenDocument, fastReader: OpenDocument): Promise<void> {
  const text = writer.doc.getText('tokens')
  for (let edit = 1; edit <= EDITS; edit++) {
    text.insert(text.length, 'x'.repeat(EDIT_BYTES))
    text.delete(text.length - EDIT_BYTES, EDIT_BYTES)
    text.insert(text.length, `a${edit};`)
    if (edit % 10 > 0) continue
    await writer.whenSaved()
    await waitUntil(() => haveEqualState(fastReader.doc, writer.doc), 'the other reader to have it all')
  }
}

test('[S6] a slow reader at 1 KB/s, on each transport: little waits for it, others are not affected, it catches up by a resync', async () => {
  await using server = await RealServer.start()
  const { id, tokens } = await server.createDocument()
  await using network = await FaultyNetwork.startBefore(server)
  const directOptions = { url: server.origin('https'), document: id, token: tokens.editor, insecure: true }
  const openDocuments: OpenDocument[] = []
  const openWindow = (options: Parameters<typeof openDocument>[0]): OpenDocument => {
    openDocuments.push(openDocument(options))
    return openDocuments.at(-1)!
  }
  try {
    const [writer, fastReader] = [openWindow(directOptions), openWindow(directOptions)]
    const slowReaders = testedTransports.map((transport) =>
      openWindow({ ...directOptions, url: network.origins.https, transport }),
    )
    await Promise.all(openDocuments.map(({ whenSynced }) => whenSynced))
    const bytesBefore = slowReaders.map((one) => one.stats().bytesDown)
    network.forEachProxy((proxy) => proxy.setFaults({ bytesPerSecond: 1000 }))
    await writeHeavily(writer, fastReader)
    expect(slowReaders.map(({ doc }) => haveEqualState(doc, writer.doc))).toEqual(
      slowReaders.map(() => false),
    )
    network.forEachProxy((proxy) => proxy.heal())
    await waitUntil(
      () => slowReaders.every(({ doc }) => haveEqualState(doc, writer.doc)),
      'the slow readers to catch up',
    )
    expect(fastReader.stats().bytesDown).toBeGreaterThan(2 * MAX_LAG_BYTES)
    const receivedBytes = slowReaders.map((one, index) => one.stats().bytesDown - bytesBefore[index]!)
    // Twice the limit, because what waited may be sent again on a link that was opened meanwhile.
    for (const bytes of receivedBytes) expect(bytes).toBeLessThan(2 * MAX_LAG_BYTES + MAX_OTHER_BYTES)
  } finally {
    await Promise.all(openDocuments.map((one) => one.close()))
  }
}, 180_000)
