/**
 * The Yjs client ids that the members of a room write under (A5): announced when a member joins, replaced when it takes another, and
 * released when it leaves. A desk has one person, so nothing is compared there. Knows members and the owners of ids; does not know the
 * text.
 */
import { uint32 } from 'lib0/random'
import { windowOf } from '../sessions/session-ids.ts'
import { type ClientOwner, type DocumentPart, SERVER_OWNER } from '../store/store.ts'
import type { Clocks } from './clocks.ts'
import { type Claims, type ClientOwners, type ClientWriter, NO_CLAIMS } from './client-owners.ts'
import { NO_CLIENT, type RoomMember } from './room-members.ts'

const SERVER: ClientWriter = { principal: SERVER_OWNER }
const NO_CLOCKS: Clocks = new Map()

export class MemberClientIds {
  readonly #owners: ClientOwners
  readonly #clocks: Clocks
  readonly #isDesk: boolean

  /** @param clocks The state vector of the room's text, as it is at any time. */
  constructor(part: DocumentPart, owners: ClientOwners, clocks: Clocks) {
    this.#owners = owners
    this.#clocks = clocks
    this.#isDesk = part === 'desk'
  }

  isFree(client: number, member: RoomMember): boolean {
    return this.#owners.isFree(client, writerOf(member))
  }

  /** @param memberClocks What the member has of the text. @throws {RoomRefusal} `taken` if the id is somebody else's. */
  announce(client: number, member: RoomMember, memberClocks: Clocks): void {
    if (client === NO_CLIENT || this.#isDesk) return
    const memberClock = memberClocks.get(client) ?? 0
    this.#owners.announce(client, writerOf(member), memberClock > (this.#clocks.get(client) ?? 0))
  }

  /** The member writes under this id from now on. @throws {RoomRefusal} `taken`, and then it keeps its former id. */
  change(client: number, member: RoomMember, memberClocks = NO_CLOCKS): void {
    this.announce(client, member, memberClocks)
    this.release(member)
    member.client = client
  }

  /** A stock client shows its own id nowhere but in its presence. An id that is somebody else's is passed over. */
  adopt(clientOfPresence: number | undefined, member: RoomMember): void {
    if (clientOfPresence !== undefined && this.isFree(clientOfPresence, member))
      this.change(clientOfPresence, member)
  }

  release(member: RoomMember): void {
    this.#owners.release(member.client, writerOf(member))
  }

  /** @param member The author; null for the server. @throws {RoomRefusal} `taken` if new structs come under somebody else's id. */
  claim(clocks: Clocks, member: RoomMember | null): Claims {
    if (this.#isDesk) return NO_CLAIMS
    return this.#owners.claim(clocks.keys(), member ? writerOf(member) : SERVER)
  }

  /**
   * The same for text that its sender did not write, with all client ids of the edit, since a deletion of repeated text is an edit of it.
   * @throws {RoomRefusal} `taken` if one of them is somebody else's here, or nobody's with text of its own.
   */
  claimFor(owners: ReadonlyMap<number, string>, clients: Iterable<number>): Claims {
    const claims: ClientOwner[] = []
    for (const client of clients) {
      const principal = owners.get(client) ?? SERVER_OWNER
      claims.push(...this.#owners.claimOne(client, { principal }, this.#clocks.has(client)))
    }
    return { claims, recovers: false }
  }

  /** Records the claims of an accepted edit. Returns the undo. */
  recordClaims(claims: readonly ClientOwner[]): () => void {
    return this.#owners.recordClaims(claims)
  }

  /** Takes over what another node stored. */
  learn(owners: ReadonlyMap<number, string>): void {
    if (!this.#isDesk) this.#owners.learn(owners)
  }

  /** Has the server write under the document's id, which is random: where somebody has used it, the document gets another. */
  announceServer<Doc extends { clientID: number }>(doc: Doc): Doc {
    while (!this.#owners.isFree(doc.clientID, SERVER)) doc.clientID = uint32()
    this.#owners.announce(doc.clientID, SERVER)
    return doc
  }
}

const writerOf = ({ principal, session }: RoomMember): ClientWriter => ({
  principal: principal.id,
  window: principal.token === undefined ? undefined : windowOf(session),
})
