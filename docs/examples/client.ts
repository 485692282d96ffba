/**
 * Writes one line into a document from Node, and waits until it is on the server's disk:
 *
 *   npx node docs/examples/client.ts https://localhost:3443 <document> <token> [--transport sse] [--ca file | --insecure]
 *
 * Document and token are the two parts of a share link: /d/<document>#token=<token>. The local certificate's authority is
 * data/tls/authority.pem, for --ca.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { XmlElement, XmlText } from 'yjs'
import { openDocument } from '../../lib/client.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { transport: { type: 'string' }, ca: { type: 'string' }, insecure: { type: 'boolean' } },
})
const [url, document, token] = positionals
if (!url || !document || !token)
  throw new Error('Name the server, the document and the token of a link to it.')

const first = values.transport ?? 'websocket'
if (first !== 'websocket' && first !== 'sse') throw new Error(`--transport is "${first}"; websocket or sse.`)
const opened = openDocument({
  url,
  document,
  token,
  transport: first,
  insecure: values.insecure ?? false,
  ...(values.ca && { ca: await readFile(values.ca, 'utf8') }),
})

// It tries for as long as it takes: a server may be starting. Whoever waits is told why.
const told = setInterval(() => {
  const { link } = opened.status.get()
  if (link.state === 'retrying') console.error(`Still trying: ${link.reason.detail ?? link.reason.code}`)
}, 3_000)

try {
  // Rejects where the document is missing or the token is not good for it. While the server is down, it waits.
  await opened.whenSynced
  const { doc } = opened
  const body = doc.getXmlFragment('default')
  console.log(`Title: ${doc.getText('title').toJSON()}`)
  console.log(`Text: ${body.toJSON()}`)

  const paragraph = new XmlElement('paragraph')
  paragraph.insert(0, [new XmlText(`Written from Node over ${opened.transport?.transport}.`)])
  body.push([paragraph])

  // The link changes under way; what was typed meanwhile is neither lost nor doubled.
  await opened.switchTransport(first === 'sse' ? 'websocket' : 'sse')
  await opened.whenSaved()
  const { transport, protocol } = opened.transport ?? {}
  console.log(`Saved. Now on ${transport} (${protocol}), ${opened.stats().bytesUp} bytes were sent.`)
} finally {
  clearInterval(told)
  await opened.close()
}
