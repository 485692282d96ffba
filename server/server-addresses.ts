/** By which names and addresses this server is reached: for its certificate, its own names (A1) and the lines it prints. */
import { hostname, networkInterfaces } from 'node:os'
import { isIP, isIPv6 } from 'node:net'
import { type Config, isLoopbackName } from './config.ts'

const loopbackNames = ['localhost', '127.0.0.1', '::1']

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** As in a URL or a Host header. */
export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Names that are this server's own and that its certificate covers. Sorted, so that the same machine asks for the same certificate. */
export function serverNamesOf({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): readonly string[] {
  const listenedHosts = isWildcard(host) ? interfaceAddresses() : [host]
  const names = new Set([...loopbackNames, hostname().toLowerCase(), ...listenedHosts])
  if (publicUrl) names.add(new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1'))
  return [...names].filter((name) => name !== '').sort()
}

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    // A link-local IPv6 address names an interface in its scope id, which no certificate can.
    .filter(({ address, scopeid }) => !scopeid && !address.startsWith('fe80:'))
    .map(({ address }) => address)

/**
 * Where another device finds this server when this one calls it by a name that means this computer alone: at PUBLIC_URL, else on the
 * network it listens on. IPv4 first, as what home networks have.
 * @param usedOrigin The address that this device uses, as an origin.
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
