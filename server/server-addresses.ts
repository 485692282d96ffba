/** Lists the names and addresses of this server: for its certificate, its own names (A1) and the lines it prints. */
import { hostname, networkInterfaces } from 'node:os'
import { isIP, isIPv6 } from 'node:net'
import type { Config } from './config.ts'
import { isLoopbackName } from './loopback-name.ts'

const loopbackNames = ['localhost', '127.0.0.1', '::1']

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Writes the host as in a URL or a Host header. */
export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/**
 * Returns the names that are this server's own and that its certificate covers, sorted, so
 * that the same machine gets the same certificate.
 */
export function serverNamesOf({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): readonly string[] {
  const listenedHosts = isWildcard(host) ? interfaceAddresses() : [host]
  const names = new Set([...loopbackNames, hostname().toLowerCase(), ...listenedHosts])
  if (publicUrl) names.add(new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1'))
  return [...names].filter((name) => name !== '').sort()
}

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    // A link-local IPv6 address names an interface in its scope id, which no certificate can do.
    .filter(({ address, scopeid }) => !scopeid && !address.startsWith('fe80:'))
    .map(({ address }) => address)

/**
 * Returns the origins by which another device finds this server when this device uses a name for this computer alone: PUBLIC_URL,
 * else the addresses of the network that it listens on. IPv4 comes first, because home networks have it.
 * @param usedOrigin The origin that this device uses.
 */
export function networkAddressesFor(
  config: Pick<Config, 'host' | 'publicUrl'>,
  usedOrigin: string,
): readonly string[] {
  const { hostname, port, protocol } = new URL(usedOrigin)
  if (!isLoopbackName(hostname)) return []
  if (config.publicUrl) return [config.publicUrl].filter((url) => !isLoopbackName(new URL(url).hostname))
  if (protocol !== 'https:' || !isWildcard(config.host)) return []
  return interfaceAddresses()
    .filter((address) => isIP(address) !== 0 && !isLoopbackName(hostInUrl(address)))
    .sort((a, b) => isIP(a) - isIP(b))
    .map((address) => new URL(`https://${hostInUrl(address)}:${port || 443}`).origin)
}
