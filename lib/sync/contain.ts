/** Others' edits are taken in even where something that listens to the document throws. */

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

export function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
