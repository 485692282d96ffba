/**
 * The nodes of one service: the servers that share one database. Each has a name, which is the beginning of the ids of its sessions
 * and links (S10), an address at which the others reach it, and a lease that it renews. Knows nothing of documents.
 */

import { nodeOf } from '../../lib/protocol/link-key.ts'

export interface OtherNode {
  readonly name: string
  /** The base URL at which it takes forwarded requests, such as `http://10.0.0.5:3000`. */
  readonly address: string
}

export interface Nodes {
  /** This node's name: letters and digits, unique among the nodes that live and all that lived. */
  readonly self: string
  /** Null for a node that is unknown, or whose lease has run out. */
  find(name: string): OtherNode | null
  readonly others: readonly OtherNode[]
  /** Called with each node that is new, or is heard again after it was gone. @returns Ends the subscription. */
  onJoined(listener: (name: string) => void): () => void
  /** Called once for each node whose lease has run out, or that said goodbye. @returns Ends the subscription. */
  onGone(listener: (name: string) => void): () => void
  /** Says goodbye, so that the others need not wait for the end of the lease. */
  close(): Promise<void>
}

/** The nodes of a service of one. */
export const soleNode = (self = 'a'): Nodes => ({
  self,
  find: () => null,
  others: [],
  onJoined: () => () => {},
  onGone: () => () => {},
  close: async () => {},
})

/** Returns the node that an id of a link, session or ticket names, if that is another one that lives and can be reached (S10). */
export function otherNodeOf(nodes: Nodes, id: string): OtherNode | null {
  const name = nodeOf(id)
  const node = name === nodes.self ? null : nodes.find(name)
  return node?.address ? node : null
}
