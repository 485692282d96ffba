/** By which addresses another device reaches what this one has open. */

export interface Reach {
  /** The best first. */
  readonly origins: readonly string[]
  /** They mean this computer: on any other device they lead nowhere. */
  readonly onlyHere: boolean
  /** An address in numbers has a certificate of this server's own making, which other devices do not know. */
  readonly warns: boolean
}

/**
 * @param own The origin of this page.
 * @param elsewhere What the server knows of where others find it.
 */
export function reachOf(own: string, elsewhere: readonly string[]): Reach {
  const origins = isLoopback(own) && elsewhere.length > 0 ? elsewhere : [own]
  return { origins, onlyHere: origins.every(isLoopback), warns: origins.some(isNumeric) }
}

const isLoopback = (origin: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)

const isNumeric = (origin: string): boolean =>
  !isLoopback(origin) && /^(\d+(\.\d+){3}|\[.*\])$/.test(new URL(origin).hostname)

/** The ticket stands in the fragment: no server, proxy or referrer sees it (A3). */
export const codeAddress = (origin: string, path: string, ticket: string): string =>
  `${origin}${path}#ticket=${ticket}`
