/**
 * One link for the windows of a browser, where HTTP/1.1 allows a page's origin six connections: one window leads and opens
 * it by `base`, the others ride on it by way of a channel. A decorator, not a transport of its own: what is pinned, chosen and
 * found out is the base's.
 */
import { givenUp, openingError } from '../opening.ts'
import type { Target, Transport } from '../transport.ts'
import type { SharingPowers } from './powers.ts'
import { LINGER_MS, Station } from './station.ts'

/** @param lingerMs How long a window that nobody rides with stays in office. */
export function shared(base: Transport, powers: SharingPowers, { lingerMs = LINGER_MS } = {}): Transport {
  const stations = new Map<string, Station>()
  const stationFor = (name: string, target: Target): Station => {
    const known = stations.get(name)
    if (known) return known
    const onEnd = (): void => void stations.delete(name)
    const station = new Station({ name, base, target, powers, lingerMs, onEnd })
    stations.set(name, station)
    return station
  }
  return {
    id: base.id,
    capabilities: base.capabilities,
    async open(target, sink, signal) {
      if (signal.aborted) throw givenUp(signal)
      if (!isToBeShared(target)) return base.open(target, sink, signal)
      try {
        const name = await nameOf(base, target)
        if (signal.aborted) throw givenUp(signal)
        return await stationFor(name, target).open(sink, signal)
      } catch (error) {
        throw openingError(error, signal)
      }
    },
  }
}

/** HTTP/2 carries all streams of all windows in one connection: there sharing would only add a stop on the way. */
export function isToBeShared({ sharing = 'automatic', origin, net }: Target): boolean {
  if (sharing !== 'automatic') return sharing === 'always'
  return origin.startsWith('http:') || net.protocolOf(origin) === 'http/1.1'
}

/** Of the lock and the channel. Whoever comes with another credential shares another link. */
async function nameOf({ id }: Transport, { origin, token, streamedBody }: Target): Promise<string> {
  const credential = token === undefined ? '' : `:${await digest(token)}`
  return `diptych:link:${id}:${origin}${credential}${streamedBody === false ? ':posts' : ''}`
}

async function digest(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
