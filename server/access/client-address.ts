/**
 * The address a request truly came from. Headers that name it are believed only where the peer is a proxy on the list. They are
 * read from their end: what stands before the first address that is no proxy of ours was written by the client.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

export interface AddressSource {
  /** Of the socket; '' where it is not known any more. */
  readonly peer: string
  readonly headers: IncomingHttpHeaders
}

/** A key for limits: an IPv4 address, or the /64 of an IPv6 address, which is what one customer gets at least. */
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

/** Whether a socket's other end is one of ours. */
export function createProxyCheck(trustedProxies: readonly string[]): (peer: string) => boolean {
  const proxies = blockListOf(trustedProxies)
  return (peer) => {
    const address = parseAddress(peer)
    return address !== null && proxies.check(address, familyOf(address))
  }
}

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
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
 * In the order they were passed through. A proxy writes one of the two headers: where both come, the client wrote one of them,
 * and nobody can say which, so that neither is believed.
 */
function forwardedHops(headers: IncomingHttpHeaders): string[] {
  const forwardedFor = String(headers['x-forwarded-for'] ?? '')
  const { forwarded = '' } = headers
  if (forwardedFor && forwarded) return []
  if (forwardedFor) return forwardedFor.split(',')
  // RFC 7239. A comma within quotes would be a client's: it makes a hop that is no address, where reading stops.
  return forwarded.split(',').map((hop) => /(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(hop)?.[1] ?? '')
}

/** Without quotes, brackets, port and zone; an IPv4 address within IPv6 as IPv4. Null for what is no address, such as `unknown`. */
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

/** The eight numbers of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  const [head = [], tail = []] = withHexGroups(address).split('::').map(parseGroups)
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

const parseGroups = (half: string): number[] =>
  half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))

/** The last 32 bits may be written as an IPv4 address. */
function withHexGroups(address: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  if (!dotted) return address
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number)
  const groups = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':')
  return address.slice(0, dotted.index) + groups
}
