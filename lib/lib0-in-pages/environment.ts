/** What Yjs uses of `lib0/environment`. The original reads settings of programs from the address and from the browser's storage. */
export const isBrowser = true

export const getVariable = (): null => null
