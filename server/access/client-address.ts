/**
 * Finds the address that a request truly came from. Headers that name it are believed only where the peer is a trusted proxy. They
 * are read from their end: what stands before the first address that is no trusted proxy was written by the client.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

export interface AddressSource {
  /** The remote address of the socket; '' when it is not known any more. */
  readonly peer: string
  readonly headers: IncomingHttpHeaders
}

/** Returns a key for limits: an IPv4 address, or the /64 of an IPv6 address, which is the least that one customer gets. */
export type ClientAddressOf = (source: AddressSource) => string

/** @param trustedProxies Addresses and networks as CIDR, already checked by `isNetwork`. */
export function createClientAddressOf(trustedProxies: readonly string[]): ClientAddressOf {
  const isProxy = createProxyCheck(trustedProxies)
  return ({ peer, headers }) => {
    let address = parseAddress(peer) ?? peer
    if (trustedProxies.length === 0) return limitKeyOf(address)
    for (const hop of forwardedHops(headers).toReversed()) {
      if (!isProxy(address)) break
      const hopAddress = parseAddress(hop)
      if (hopAddress === null) break
      address = hopAddress
    }
    return limitKeyOf(address)
  }
}

/** Returns a check whether a socket's remote address is a trusted proxy. */
export function createProxyCheck(trustedProxies: readonly string[]): (peer: string) => boolean {
  const proxies = blockListOf(trustedProxies)
  return (peer) => {
    const address = parseAddress(peer)
    return address !== null && proxies.check(address, familyOf(address))
  }
}

/** Accepts `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return list
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/**
 * Returns the addresses in the order in which the request passed them. A proxy writes one of the two headers: where both are
 * present, the client wrote one of them, and nobody can say which, so neither is believed.
 */
function forwardedHops(headers: IncomingHttpHeaders): string[] {
  const forwardedFor = String(headers['x-forwarded-for'] ?? '')
  const { forwarded = '' } = headers
  if (forwardedFor && forwarded) return []
  if (forwardedFor) return forwardedFor.split(',')
  // RFC 7239. Only a client would write a comma within quotes: it yields a hop that is no address, where reading stops.
  return forwarded.split(',').map((hop) => /(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(hop)?.[1] ?? '')
}

/**
 * Returns the address without quotes, brackets, port and zone, and an IPv4 address within IPv6 as IPv4. Returns null for what is no
 * address, such as `unknown`.
 */
function parseAddress(text: string): string | null {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1]
  const withPort = /^([\d.]+):\d+$/.exec(bare)?.[1]
  const [address = ''] = (inBrackets ?? withPort ?? bare).split('%')
  if (isIP(address) === 0) return null
  return isIP(address) === 6 ? (mappedIPv4(address) ?? address) : address
}

function mappedIPv4(address: string): string | null {
  const groups = ipv6Groups(address)
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const limitKeyOf = (address: string): string =>
  isIP(address) === 6
    ? `${ipv6Groups(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
    : address

/** Returns the eight numbers of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  const [head = [], tail = []] = withHexGroups(address).split('::').map(parseGroups)
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

const parseGroups = (half: string): number[] =>
  half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))

/** Rewrites the last 32 bits in hexadecimal where they stand as an IPv4 address. */
function withHexGroups(address: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  if (!dotted) return address
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number)
  const groups = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':')
  return address.slice(0, dotted.index) + groups
}
