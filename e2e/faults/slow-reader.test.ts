import { expect, test } from 'vitest'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { equal } from '../chaos/oracle.ts'
import { comesToHold } from '../chaos/rest.ts'
import { networkTransports } from '../chaos/ways.ts'
import { FaultyNetwork } from './stage.ts'

const EDITS = 200
const EDIT_BYTES = 20 * 1024
/** S6: what may wait for one session. */
const LAG_BYTES = 1024 * 1024
/** What is said beside changes: presence, pongs, and in the end the state that was missed, whose letters are deleted again. */
const BESIDE_BYTES = 64 * 1024

/** Much goes over the wire, little stays in the text. The other reader keeps up. */
async function scribble(writer: OpenDocument, other: OpenDocument): Promise<void> {
  const text = writer.doc.getText('tokens')
  for (let edit = 1; edit <= EDITS; edit++) {
    text.insert(text.length, 'x'.repeat(EDIT_BYTES))
    text.delete(text.length - EDIT_BYTES, EDIT_BYTES)
    text.insert(text.length, `a${edit};`)
    if (edit % 10 > 0) continue
    await writer.whenSaved()
    await comesToHold('the other reader to have it all', () => equal(other.doc, writer.doc))
  }
}

test('[S6] a slow reader at 1 KB/s, on each transport: little waits for it, others are unhurt, it catches up by a resync', async () => {
  await using server = await RealServer.start()
  const { id, tokens } = await server.newDocument()
  await using network = await FaultyNetwork.before(server)
  const straight = { url: server.origin('https'), document: id, token: tokens.editor, insecure: true }
  const opened: OpenDocument[] = []
  const open = (options: Parameters<typeof openDocument>[0]): OpenDocument => {
    opened.push(openDocument(options))
    return opened.at(-1)!
  }
  try {
    const [writer, other] = [open(straight), open(straight)]
    const slow = networkTransports.map((transport) =>
      open({ ...straight, url: network.origins.https, transport }),
    )
    await Promise.all(opened.map(({ whenSynced }) => whenSynced))
    const before = slow.map((one) => one.stats().bytesDown)
    network.each((proxy) => proxy.set({ bytesPerSecond: 1000 }))
    await scribble(writer, other)
    expect(slow.map(({ doc }) => equal(doc, writer.doc))).toEqual(slow.map(() => false))
    network.each((proxy) => proxy.heal())
    await comesToHold('the slow readers to catch up', () => slow.every(({ doc }) => equal(doc, writer.doc)))
    expect(other.stats().bytesDown).toBeGreaterThan(2 * LAG_BYTES)
    const taken = slow.map((one, index) => one.stats().bytesDown - before[index]!)
    // Twice: what waited may come once more on a link that was opened meanwhile.
    for (const bytes of taken) expect(bytes).toBeLessThan(2 * LAG_BYTES + BESIDE_BYTES)
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}, 180_000)
