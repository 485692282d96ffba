/** The addresses at which another device can open this page. */

export interface ReachableAddresses {
  /** Sorted, the best one first. */
  readonly origins: readonly string[]
  /** The addresses mean this computer and work on no other device. */
  readonly isLocalOnly: boolean
  /** A numeric address has a certificate that this server made, and other devices do not trust it. */
  readonly hasUntrustedCertificate: boolean
}

/**
 * @param ownOrigin The origin of this page.
 * @param serverOrigins The addresses at which, as far as the server knows, others find it.
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

/** The ticket is in the fragment, so that no server, proxy or referrer sees it (A3). */
export const codeUrl = (origin: string, path: string, ticket: string): string =>
  `${origin}${path}#ticket=${ticket}`
