/** Calls each listener. What one throws is reported as an uncaught error, and keeps none behind it from being called. */
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

/** As an uncaught error, once whatever runs now is done. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
