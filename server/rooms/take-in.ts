/**
 * Brings a checked edit into a document. Yjs's own way in decodes it a second time, and encodes it again for whoever listens;
 * here it is decoded once, and stored and told as it came. Knows Yjs; does not know what may be taken in.
 */
import * as Y from 'yjs'
import type { Checked } from './check-update.ts'
import { checkNesting } from './check-values.ts'

/** False: all of it was there already. Throws where Yjs does; then the document is half an edit further. */
export function takeIn(doc: Y.Doc, { structs, ds }: Checked): boolean {
  let deleted = false
  Y.transact(
    doc,
    (transaction) => {
      for (const struct of structs) integrate(struct, transaction)
      if (ds.clients.size > 0)
        Y.iterateDeletedStructs(transaction, ds, (struct) => struct.delete(transaction))
      deleted = transaction.deleteSet.clients.size > 0
    },
    null,
    false,
  )
  return deleted || structs.length > 0
}

function integrate(struct: Checked['structs'][number], transaction: Y.Transaction): void {
  const { doc } = transaction
  // Decoded without a document, a root is still a name.
  if (struct instanceof Y.Item && typeof struct.parent === 'string') struct.parent = doc.get(struct.parent)
  const lacking = struct.getMissing(transaction, doc.store)
  if (lacking !== null) throw new Error(`it waits for client ${lacking}`)
  if (struct instanceof Y.Item) checkNesting(struct)
  struct.integrate(transaction, 0)
}

/**
 * After others' edits Yjs tidies formatting up in a transaction of its own, with an update that nobody asked for and the author
 * would not hear of: not here. And of the events of a transaction, most of which nobody hears, none is prepared for nobody.
 */
export class RoomDoc extends Y.Doc {
  override emit(...[name, args]: Parameters<Y.Doc['emit']>): void {
    if (name === 'afterTransaction') (args[0] as Y.Transaction)._needFormattingCleanup = false
    if (this._observers.has(name)) super.emit(name, args as never)
  }
}
