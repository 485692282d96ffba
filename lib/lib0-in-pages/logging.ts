/** What Yjs uses of `lib0/logging`, without colours: the original brings `lib0/dom` along. */
const noStyle = ''

export const BOLD = noStyle
export const UNBOLD = noStyle
export const ORANGE = noStyle
export const RED = noStyle

// Yjs reports what is wrong to whoever develops.
// oxlint-disable no-console
export const print = (...parts: readonly unknown[]): void => console.log(...parts)

export const warn = (...parts: readonly unknown[]): void => console.warn(...parts)
