/** The sessions of each principal, up to a limit (A6). Does not know what a session does. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'

export interface EvictableSession {
  readonly principal: Principal
  /** Null while it has a link. */
  readonly linklessSince: number | null
  end(reason: CloseReason): void
}

/** Everybody with the same share link is one principal, for example a class or a meeting. */
const PEOPLE_PER_LINK_TOKEN = 40

export class PrincipalSessions {
  readonly #sessions = new Map<string, Set<EvictableSession>>()
  readonly #maxOfPerson: number

  /** @param maxPerPerson Null for no limit. */
  constructor(maxPerPerson: number | null) {
    this.#maxOfPerson = maxPerPerson ?? Infinity
  }

  add(session: EvictableSession): void {
    const { id } = session.principal
    this.#sessions.set(id, (this.#sessions.get(id) ?? new Set()).add(session))
  }

  remove(session: EvictableSession): void {
    const { id } = session.principal
    const own = this.#sessions.get(id)
    own?.delete(session)
    if (own?.size === 0) this.#sessions.delete(id)
  }

  /**
   * Called before a session is opened: at the limit, ends the session that has been without a link the longest.
   * @throws {ProtocolError} if all of them have a link.
   */
  evictOldestIfFull({ id, token }: Principal): void {
    const own = this.#sessions.get(id)
    const limit = token === undefined ? this.#maxOfPerson : this.#maxOfPerson * PEOPLE_PER_LINK_TOKEN
    if (!own || own.size < limit) return
    const oldest = [...own]
      .filter(({ linklessSince }) => linklessSince !== null)
      .toSorted((a, b) => a.linklessSince! - b.linklessSince!)[0]
    if (!oldest) throw new ProtocolError('overloaded', strings.session.manyWindows(limit))
    oldest.end({ code: 'overloaded', detail: strings.session.replacedByWindow })
  }
}
