/** How many of something each principal has, up to a limit: sessions, links. Knows principals; does not know what is counted. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { MAX_CONNECTIONS_A_LINK_TOKEN, MAX_CONNECTIONS_A_PERSON } from '../limits.ts'

const COME_AGAIN_MS = 10_000

interface CountLimits {
  readonly person?: number
  readonly linkToken?: number
}

export class PrincipalCount {
  readonly #person: number
  readonly #linkToken: number
  readonly #counts = new Map<string, number>()

  constructor({
    person = MAX_CONNECTIONS_A_PERSON,
    linkToken = MAX_CONNECTIONS_A_LINK_TOKEN,
  }: CountLimits = {}) {
    this.#person = person
    this.#linkToken = linkToken
  }

  hasRoomFor(principal: Principal): boolean {
    return this.of(principal) < this.#limitOf(principal)
  }

  of({ id }: Principal): number {
    return this.#counts.get(id) ?? 0
  }

  /** Returns its undo, which may be called twice. */
  add({ id }: Principal): () => void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    let isHere = true
    return () => {
      if (!isHere) return
      isHere = false
      const left = (this.#counts.get(id) ?? 0) - 1
      if (left > 0) this.#counts.set(id, left)
      else this.#counts.delete(id)
    }
  }

  refusal(principal: Principal): CloseReason {
    const detail = strings.session.manyConnections(this.#limitOf(principal))
    return { code: 'overloaded', detail, retryAfterMs: COME_AGAIN_MS }
  }

  #limitOf({ token }: Principal): number {
    return token === undefined ? this.#person : this.#linkToken
  }
}
