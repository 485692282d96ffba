/** The ids of the transports in registry.ts, by which settings, choices and tests go through them. */
import { transportDescriptors } from './registry.ts'
import type { NetworkTransportId } from './transport.ts'

export { transportDescriptors }
export type { NetworkTransportId }

/** In the order of preference. */
export const networkTransports = Object.keys(transportDescriptors) as readonly NetworkTransportId[]

/** Every path that no other transport uses. */
export function ownPathsOf(id: NetworkTransportId): readonly string[] {
  const { linkPath, otherPaths = [] } = transportDescriptors[id]
  return [linkPath, ...otherPaths]
}
