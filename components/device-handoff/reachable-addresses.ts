/** By which addresses another device reaches what this one has open. */

export interface ReachableAddresses {
  /** The best first. */
  readonly origins: readonly string[]
  /** They mean this computer: on any other device they lead nowhere. */
  readonly isLocalOnly: boolean
  /** An address in numbers has a certificate of this server's own making, which other devices do not know. */
  readonly hasUntrustedCertificate: boolean
}

/**
 * @param ownOrigin The origin of this page.
 * @param serverOrigins What the server knows of where others find it.
 */
export function reachableAddressesOf(
  ownOrigin: string,
  serverOrigins: readonly string[],
): ReachableAddresses {
  const origins = isLoopback(ownOrigin) && serverOrigins.length > 0 ? serverOrigins : [ownOrigin]
  return { origins, isLocalOnly: origins.every(isLoopback), hasUntrustedCertificate: origins.some(isNumeric) }
}

const isLoopback = (origin: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)

const isNumeric = (origin: string): boolean =>
  !isLoopback(origin) && /^(\d+(\.\d+){3}|\[.*\])$/.test(new URL(origin).hostname)

/** The ticket stands in the fragment: no server, proxy or referrer sees it (A3). */
export const codeUrl = (origin: string, path: string, ticket: string): string =>
  `${origin}${path}#ticket=${ticket}`
