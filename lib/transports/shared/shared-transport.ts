/**
 * One link for the windows of a browser, where HTTP/1.1 allows a page's origin six connections: one window leads and opens
 * it by `base`, the others use it over a channel. It is a decorator, not a transport of its own: pins, choices and evidence
 * are those of `base`.
 */
import { abortedOpening, openingError } from '../opening.ts'
import type { LinkTarget, Transport } from '../transport.ts'
import type { SharingPlatform } from './sharing-platform.ts'
import { SHARED_LINK_LINGER_MS, SharedConnection } from './shared-connection.ts'

/** @param lingerMs How long a leader without followers stays leader. */
export function shareTransport(
  base: Transport,
  platform: SharingPlatform,
  { lingerMs = SHARED_LINK_LINGER_MS } = {},
): Transport {
  const connections = new Map<string, SharedConnection>()
  const connectionFor = (name: string, target: LinkTarget): SharedConnection => {
    const existing = connections.get(name)
    if (existing) return existing
    const onEnd = (): void => void connections.delete(name)
    const connection = new SharedConnection({ name, base, target, platform, lingerMs, onEnd })
    connections.set(name, connection)
    return connection
  }
  return {
    id: base.id,
    capabilities: base.capabilities,
    async open(target, sink, signal) {
      if (signal.aborted) throw abortedOpening(signal)
      if (!shouldShareLink(target)) return base.open(target, sink, signal)
      try {
        const name = await connectionName(base, target)
        if (signal.aborted) throw abortedOpening(signal)
        return await connectionFor(name, target).open(sink, signal)
      } catch (error) {
        throw openingError(error, signal)
      }
    },
  }
}

/** HTTP/2 carries all streams of all windows in one connection: there sharing would only add a step. */
export function shouldShareLink({ sharing = 'automatic', origin, net }: LinkTarget): boolean {
  if (sharing !== 'automatic') return sharing === 'always'
  return origin.startsWith('http:') || net.protocolOf(origin) === 'http/1.1'
}

/** The name of the lock and of the channel. Windows with another credential share another link. */
async function connectionName(
  { id }: Transport,
  { origin, token, streamedBody }: LinkTarget,
): Promise<string> {
  const credential = token === undefined ? '' : `:${await digestToken(token)}`
  return `diptych:link:${id}:${origin}${credential}${streamedBody === false ? ':posts' : ''}`
}

async function digestToken(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
