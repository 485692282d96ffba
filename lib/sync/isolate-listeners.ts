/** Applies remote edits even where something that listens to the document throws. */
import * as Y from 'yjs'
import { reportUncaught } from '../notify-all.ts'

/** Like `Y.applyUpdate`, but throws only for the update itself: what listeners throw is reported as an uncaught error. */
export function applyUpdateIsolated(doc: Y.Doc, update: Uint8Array, origin: unknown): void {
  const runTransaction = (run: () => void): void => Y.transact(doc, run, origin, false)
  isolateListeners(runTransaction, () => Y.applyUpdate(doc, update, origin))
}

/**
 * Runs `applyEdits` in one Yjs transaction. An error of `applyEdits` is thrown, because the edits are at fault. What listeners throw
 * afterwards is reported as an uncaught error and goes no further.
 */
export function isolateListeners(transact: (run: () => void) => void, applyEdits: () => void): void {
  let editError: { readonly error: unknown } | undefined
  try {
    transact(() => {
      try {
        applyEdits()
      } catch (error) {
        editError = { error }
      }
    })
  } catch (error) {
    reportUncaught(error)
  }
  if (editError) throw editError.error
}
