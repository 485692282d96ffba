/** Counts how many sessions, links or the like each principal has, up to a limit. Knows principals; does not know what it counts. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { MAX_CONNECTIONS_PER_LINK_TOKEN, MAX_CONNECTIONS_PER_PERSON } from '../listener-limits.ts'

const RETRY_AFTER_MS = 10_000

interface CountLimits {
  readonly person?: number
  readonly linkToken?: number
}

export class PrincipalCount {
  readonly #person: number
  readonly #linkToken: number
  readonly #counts = new Map<string, number>()
  /** What other nodes count for a principal, by the node's name. */
  readonly #remoteCounts = new Map<string, Map<string, number>>()
  /** Called when this node's count of a principal changed. */
  onChanged: (id: string, count: number) => void = () => {}
  /** Called when another node counts something else for a principal than before. */
  onRemoteChanged: (id: string) => void = () => {}

  constructor({
    person = MAX_CONNECTIONS_PER_PERSON,
    linkToken = MAX_CONNECTIONS_PER_LINK_TOKEN,
  }: CountLimits = {}) {
    this.#person = person
    this.#linkToken = linkToken
  }

  hasRoomFor(principal: Principal): boolean {
    return this.countOf(principal) < this.limitOf(principal)
  }

  /** Fewer than this of one node are worth no message to the others: nearly everybody has fewer. */
  get many(): number {
    return Math.max(1, Math.floor(this.#person / 8))
  }

  /** The count on all nodes, as far as they have said. */
  countOf({ id }: Pick<Principal, 'id'>): number {
    const remote = [...(this.#remoteCounts.get(id)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
    return (this.#counts.get(id) ?? 0) + remote
  }

  /** This node's counts. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** @param count What another node counts for the principal, from now on. */
  setRemote(node: string, id: string, count: number): void {
    const counts = this.#remoteCounts.get(id) ?? new Map<string, number>()
    if (count > 0) this.#remoteCounts.set(id, counts.set(node, count))
    else if (counts.delete(node) && counts.size === 0) this.#remoteCounts.delete(id)
    this.onRemoteChanged(id)
  }

  /** The node is gone, and what it counted. */
  forgetNode(node: string): void {
    for (const id of this.#remoteCounts.keys()) this.setRemote(node, id, 0)
  }

  /** Returns the undo, which may be called twice. */
  add({ id }: Principal): () => void {
    this.#change(id, 1)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      this.#change(id, -1)
    }
  }

  #change(id: string, by: 1 | -1): void {
    const count = (this.#counts.get(id) ?? 0) + by
    if (count > 0) this.#counts.set(id, count)
    else this.#counts.delete(id)
    this.onChanged(id, count)
  }

  refusal(principal: Principal): CloseReason {
    const detail = serverRefusalsStrings.session.manyConnections(this.limitOf(principal))
    return { code: 'overloaded', detail, retryAfterMs: RETRY_AFTER_MS }
  }

  limitOf({ token }: Principal): number {
    return token === undefined ? this.#person : this.#linkToken
  }
}
