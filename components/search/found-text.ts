/** The letters that an address asks Find to look for: `/d/…#find=letters`. Anybody can write one, so they are read like input. */

const MAX_LENGTH = 200

export const findHashOf = (text: string): string =>
  text === '' ? '' : `#${new URLSearchParams({ find: text.slice(0, MAX_LENGTH).toWellFormed() })}`

/** '' for a fragment that names none. */
export const readFindHash = (hash: string): string =>
  (new URLSearchParams(hash.slice(1)).get('find') ?? '').slice(0, MAX_LENGTH)

/** The document that this page shows as a text; null for another page. */
export const shownDocument = (): string | null => /^\/d\/([\w-]+)$/.exec(location.pathname)?.[1] ?? null
