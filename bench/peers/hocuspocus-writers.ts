/** Writes by Hocuspocus's provider. Runs as a process. */
import { HocuspocusProvider } from '@hocuspocus/provider'
import * as Y from 'yjs'
import { type OtherWriter, orderOfProcess, writeForever } from '../lengths/other-writers.ts'

const order = orderOfProcess()
process.on('SIGTERM', () => process.exit(0))

function open(): Promise<OtherWriter> {
  const { promise, resolve } = Promise.withResolvers<OtherWriter>()
  const doc = new Y.Doc()
  const provider: HocuspocusProvider = new HocuspocusProvider({
    url: order.origin.replace(/^http/, 'ws'),
    name: order.document,
    document: doc,
    onSynced: () => resolve({ doc, awareness: provider.awareness! }),
  })
  return promise
}

await writeForever(await Promise.all(Array.from({ length: order.count }, open)), order)
