/** Edits that were made elsewhere are taken in even where something that listens to the document throws. */
import * as Y from 'yjs'
import { reportLater } from '../notify-all.ts'

/** `Y.applyUpdate`, but throws for the update alone: what listeners throw is reported as an uncaught error. */
export function applyContained(doc: Y.Doc, update: Uint8Array, origin: unknown): void {
  const transact = (run: () => void): void => Y.transact(doc, run, origin, false)
  containListeners(transact, () => Y.applyUpdate(doc, update, origin))
}

/**
 * Runs `take` in one Yjs transaction. What `take` throws is thrown: the edits are at fault. What listeners throw afterwards is reported
 * as an uncaught error, and goes no further.
 */
export function containListeners(transact: (run: () => void) => void, take: () => void): void {
  let fault: { readonly error: unknown } | undefined
  try {
    transact(() => {
      try {
        take()
      } catch (error) {
        fault = { error }
      }
    })
  } catch (error) {
    reportLater(error)
  }
  if (fault) throw fault.error
}
