/** Edits apart by the link they went by: each transport has delays of its own, and a simulated network is another network. */
import type { LinkInfo } from '../transports/transport.ts'
import type { Timeline } from './state.ts'

export interface Apart {
  /** Those that have not left yet among them: they wait for it. */
  readonly inUse: readonly Timeline[]
  /** The latest used first. */
  readonly earlier: readonly { readonly link: LinkInfo; readonly timelines: readonly Timeline[] }[]
}

/** The same transport, over the same kind of network. Its protocol is told late, and its way up may change while it lives. */
export const linkKey = ({ transport, simulated }: LinkInfo): string =>
  simulated ? `${transport}, simulated` : transport

/** @param timelines Oldest first. @param link In use; without one it is the latest that an edit went by. */
export function apart(timelines: readonly Timeline[], link: LinkInfo | undefined): Apart {
  const used = link ?? timelines.findLast((one) => one.link)?.link
  if (!used) return { inUse: timelines, earlier: [] }
  const groups = Map.groupBy(timelines, (one) => linkKey(one.link ?? used))
  const inUse = groups.get(linkKey(used)) ?? []
  groups.delete(linkKey(used))
  const earlier = [...groups.values()].map((group) => ({ link: group.at(-1)!.link!, timelines: group }))
  const last = (group: readonly Timeline[]): number => group.at(-1)!.edit
  return { inUse, earlier: earlier.toSorted((a, b) => last(b.timelines) - last(a.timelines)) }
}
