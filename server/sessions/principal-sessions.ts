/**
 * The sessions of each principal, up to a limit (A6), which holds on all nodes together as far as they have told each other: a session
 * that has no link gives way, on whichever node it is. Does not know what a session does, or how nodes talk.
 */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { PrincipalCount } from './principal-count.ts'

export interface EvictableSession {
  readonly principal: Principal
  /** Null while it has a link. */
  readonly linklessSince: number | null
  end(reason: CloseReason): void
}

/** Everybody with the same share link is one principal, for example a class or a meeting. */
const PEOPLE_PER_LINK_TOKEN = 40

interface CountedSession {
  readonly uncount: () => void
  uncountLink: () => void
}

export class PrincipalSessions {
  /** How many each principal has. */
  readonly all: PrincipalCount
  /** How many of these have a link. */
  readonly linked: PrincipalCount
  readonly #sessions = new Map<string, Map<EvictableSession, CountedSession>>()

  /** @param maxPerPerson Null for no limit. */
  constructor(maxPerPerson: number | null) {
    const person = maxPerPerson ?? Infinity
    const limits = { person, linkToken: person * PEOPLE_PER_LINK_TOKEN }
    this.all = new PrincipalCount(limits)
    this.linked = new PrincipalCount(limits)
    this.all.onRemoteChanged = (id) => this.#endSurplus(id)
  }

  add(session: EvictableSession): void {
    const { principal } = session
    const own = this.#sessions.get(principal.id) ?? new Map<EvictableSession, CountedSession>()
    this.#sessions.set(principal.id, own)
    own.set(session, { uncount: this.all.add(principal), uncountLink: () => {} })
    this.onLinkChanged(session)
  }

  /** The session has lost its last link, or has one again. */
  onLinkChanged(session: EvictableSession): void {
    const counted = this.#sessions.get(session.principal.id)?.get(session)
    if (!counted) return
    counted.uncountLink()
    counted.uncountLink = session.linklessSince === null ? this.linked.add(session.principal) : () => {}
  }

  remove(session: EvictableSession): void {
    const { id } = session.principal
    const own = this.#sessions.get(id)
    const counted = own?.get(session)
    if (!own || !counted) return
    own.delete(session)
    if (own.size === 0) this.#sessions.delete(id)
    counted.uncount()
    counted.uncountLink()
  }

  /**
   * Called before a session is opened: at the limit, ends the session that has been without a link the longest. If those are at other
   * nodes, these do so as soon as they hear of the new one. @throws {ProtocolError} if all of them have a link.
   */
  evictOldestIfFull(principal: Principal): void {
    if (!this.linked.hasRoomFor(principal))
      throw new ProtocolError(
        'overloaded',
        serverRefusalsStrings.session.manyWindows(this.linked.limitOf(principal)),
      )
    if (!this.all.hasRoomFor(principal)) this.#endOldest(principal.id)
  }

  /** Several nodes may do so at once, and end some more than they need to: these windows come back, and nothing is lost. */
  #endSurplus(id: string): void {
    const principal = this.#sessions.get(id)?.keys().next().value?.principal
    if (!principal) return
    let surplus = this.all.countOf(principal) - this.all.limitOf(principal)
    while (surplus-- > 0 && this.#endOldest(id));
  }

  /** Returns false if all of this node have a link. */
  #endOldest(id: string): boolean {
    const oldest = [...(this.#sessions.get(id)?.keys() ?? [])]
      .filter(({ linklessSince }) => linklessSince !== null)
      .toSorted((a, b) => a.linklessSince! - b.linklessSince!)[0]
    oldest?.end({ code: 'overloaded', detail: serverRefusalsStrings.session.replacedByWindow })
    return oldest !== undefined
  }
}
