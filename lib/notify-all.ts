/** Calls each listener. An error that one throws is reported as uncaught, and the later listeners are called all the same. */
export function notifyAll<Values extends readonly unknown[]>(
  listeners: Iterable<(...values: Values) => void>,
  ...values: Values
): void {
  for (const listener of listeners) {
    try {
      listener(...values)
    } catch (error) {
      reportUncaught(error)
    }
  }
}

/** Reports an uncaught error once the running code is done. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
