/** Groups edits by the link they went by: each transport has delays of its own, and a simulated network is another network. */
import type { LinkInfo } from '../transports/transport.ts'
import type { EditTimeline } from './latency-state.ts'

export interface EditsByLink {
  /** Includes the edits that have not left yet: they wait for this link. */
  readonly inUse: readonly EditTimeline[]
  /** The latest used link first. */
  readonly earlier: readonly { readonly link: LinkInfo; readonly timelines: readonly EditTimeline[] }[]
}

/**
 * Identifies a transport over one kind of network. The protocol is left out, since it is known late, and so is the way up, which may
 * change while the link lives.
 */
export const linkKey = ({ transport, simulated }: LinkInfo): string =>
  simulated ? `${transport}, simulated` : transport

/** @param timelines Oldest first. @param link The link in use; without one, the latest that an edit went by. */
export function splitByLink(timelines: readonly EditTimeline[], link: LinkInfo | undefined): EditsByLink {
  const used = link ?? timelines.findLast((one) => one.link)?.link
  if (!used) return { inUse: timelines, earlier: [] }
  const groups = Map.groupBy(timelines, (one) => linkKey(one.link ?? used))
  const inUse = groups.get(linkKey(used)) ?? []
  groups.delete(linkKey(used))
  const earlier = [...groups.values()].map((group) => ({ link: group.at(-1)!.link!, timelines: group }))
  const last = (group: readonly EditTimeline[]): number => group.at(-1)!.edit
  return { inUse, earlier: earlier.toSorted((a, b) => last(b.timelines) - last(a.timelines)) }
}
