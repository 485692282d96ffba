/** The process of a probe. Prints for each edit its time by Date.now(), and how many ms passed until it was saved. */
import { openDocument } from '../../lib/client.ts'
import { pause } from './chaos-writers.ts'

const EVERY_MS = 20

const [url, document, token] = process.argv.slice(2) as [string, string, string]
const window = openDocument({ url, document, token, transport: 'websocket', insecure: true })
await window.whenSynced
const text = window.doc.getText('probe')
for (;;) {
  const editedAt = Date.now()
  const startedAt = performance.now()
  text.insert(0, '.')
  await window.whenSaved()
  process.stdout.write(`${editedAt} ${(performance.now() - startedAt).toFixed(2)}\n`)
  await pause(EVERY_MS)
}
