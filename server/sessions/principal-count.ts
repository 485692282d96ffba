/** Counts how many sessions, links or the like each principal has, up to a limit. Knows principals; does not know what it counts. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
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

  constructor({
    person = MAX_CONNECTIONS_PER_PERSON,
    linkToken = MAX_CONNECTIONS_PER_LINK_TOKEN,
  }: CountLimits = {}) {
    this.#person = person
    this.#linkToken = linkToken
  }

  hasRoomFor(principal: Principal): boolean {
    return this.countOf(principal) < this.#limitOf(principal)
  }

  countOf({ id }: Principal): number {
    return this.#counts.get(id) ?? 0
  }

  /** Returns the undo, which may be called twice. */
  add({ id }: Principal): () => void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      const left = (this.#counts.get(id) ?? 0) - 1
      if (left > 0) this.#counts.set(id, left)
      else this.#counts.delete(id)
    }
  }

  refusal(principal: Principal): CloseReason {
    const detail = strings.session.manyConnections(this.#limitOf(principal))
    return { code: 'overloaded', detail, retryAfterMs: RETRY_AFTER_MS }
  }

  #limitOf({ token }: Principal): number {
    return token === undefined ? this.#person : this.#linkToken
  }
}
