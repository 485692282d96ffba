/** Opens a document with one client, without a browser, and measures how long it takes to have the text. */
import * as Y from 'yjs'
import { openDocument } from '../../lib/client.ts'
import type { DocumentAddress } from '../crowd/crowd-protocol.ts'
import { hocuspocus } from '../crowd/protocols/hocuspocus.ts'

export interface JoinResult {
  /** The time from the first packet to the text in a Y.Doc. */
  readonly ms: number
  readonly letters: number
  leave(): Promise<void>
}

type Join = (origin: string, address: DocumentAddress) => Promise<JoinResult>

/** Diptych uses its own client. Hocuspocus uses the least that any client must do: ask, receive, apply. */
export const joinDocument: Readonly<Record<string, Join>> = {
  async diptych(url, { document, token }) {
    const startedAt = performance.now()
    const opened = openDocument({ url, document, token, transport: 'websocket' })
    await opened.whenSynced
    const ms = performance.now() - startedAt
    return { ms, letters: lettersIn(opened.doc), leave: () => opened.close() }
  },
  async hocuspocus(origin, address) {
    const startedAt = performance.now()
    const doc = new Y.Doc()
    const connection = await hocuspocus.open(origin, address, {
      onState: (update) => Y.applyUpdate(doc, update),
    })
    const ms = performance.now() - startedAt
    return { ms, letters: lettersIn(doc), leave: async () => connection.close() }
  },
}

const lettersIn = (doc: Y.Doc): number =>
  doc
    .getXmlFragment('default')
    .toArray()
    .reduce(
      (sum, node) => sum + (((node as Y.XmlElement).get(0) as Y.XmlText | undefined) ?? { length: 0 }).length,
      0,
    )
