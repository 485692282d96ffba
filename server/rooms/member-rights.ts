/**
 * Reads what members may do: once when they join, with a limit on guesses (A6), and again whenever it may have changed (A4). Knows
 * access and members; does not know the text.
 */
import type { Logger } from 'pino'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Access } from '../access/access.ts'
import type { Principal, Role } from '../access/principal.ts'
import { FairQueue } from '../fair-queue.ts'
import type { RateLimits } from '../rate-limit.ts'
import { deskNameOf } from './desk-name.ts'
import type { RoomMember } from './room-members.ts'
import type { Room } from './room.ts'
import { type JoinRequest, RoomRefusal } from './rooms.ts'

/** Of so many documents are rights read again at once, of one member each. */
const RIGHTS_AT_ONCE = 8

export interface MemberRightsOptions {
  readonly access: Pick<Access, 'roleOf'>
  /** Limits guesses of document ids and tokens. */
  readonly guessLimits: RateLimits
  readonly log: Logger
}

type DocumentPlace = Pick<Room, 'document' | 'part'>
type RoomOfMembers = Pick<Room, 'document' | 'part' | 'members' | 'evict' | 'setRole'>

export class MemberRights {
  readonly #options: MemberRightsOptions
  readonly #queue = new FairQueue(RIGHTS_AT_ONCE)
  readonly #waiting = new Set<RoomMember>()
  #changes = 0

  constructor(options: MemberRightsOptions) {
    this.#options = options
  }

  /** Rises whenever anybody's rights change: a role that was read holds while this is the same, however long its reader waits. */
  get changes(): number {
    return this.#changes
  }

  /** @throws {RoomRefusal} `forbidden` */
  async requireRole(place: DocumentPlace, principal: Principal, token = ''): Promise<Role> {
    const role = await this.#roleIn(place, principal, token)
    if (!role) throw new RoomRefusal({ code: 'forbidden' })
    return role
  }

  /**
   * Counts a guess before it looks, since one message can ask for thousands. A right guess is refunded.
   * @param document As it is stored. @throws {RoomRefusal} `forbidden`, or `overloaded` after many wrong guesses.
   */
  async roleOfJoiner(request: JoinRequest, document: string): Promise<Role> {
    const { guessLimits } = this.#options
    const { part, principal, token } = request
    const guesser = guesserOf(request)
    const waitMs = guesser === null ? 0 : guessLimits.take(guesser)
    if (waitMs > 0) throw guessRefusal(waitMs)
    const role = await this.requireRole({ document, part }, principal, token)
    if (guesser !== null) guessLimits.refund(guesser)
    return role
  }

  recordChange(): void {
    this.#changes += 1
  }

  /**
   * Looks at every member again, and tells them, since what else they may do here may have changed with their role the same. Thousands at
   * once would wait for the database longer than it may take to answer.
   */
  recheckAll(room: RoomOfMembers): void {
    for (const member of room.members) {
      if (this.#waiting.has(member)) continue
      this.#waiting.add(member)
      void this.#queue.run(room.document, async () => {
        this.#waiting.delete(member)
        if (room.members.has(member)) await this.recheck(room, member, true)
      })
    }
  }

  /** Never rejects. @param isTold Whether the member is told a role that stays the same. */
  async recheck(room: RoomOfMembers, member: RoomMember, isTold = false): Promise<void> {
    let role: Role | null
    try {
      role = await this.#roleIn(room, member.principal, member.token)
    } catch (error) {
      this.#options.log.error({ document: room.document, err: error }, 'rights could not be read')
      return room.evict(member, { code: 'overloaded', detail: serverRefusalsStrings.room.rightsUnknown })
    }
    if (!role) return room.evict(member, { code: 'forbidden' })
    if (isTold || role !== member.role) room.setRole(member, role)
  }

  #roleIn(
    { document, part }: DocumentPlace,
    principal: Principal,
    token: string,
  ): Role | null | Promise<Role | null> {
    if (part === 'desk') return deskNameOf(principal) === document ? 'owner' : null
    return this.#options.access.roleOf(principal, document, token)
  }
}

/**
 * Returns the key that guesses are counted under. Everybody with the same share link is the same principal, so the session is part
 * of the key. Null for a stock client: it guesses once a connection, which counts against its address.
 */
function guesserOf({ principal: { id, token }, session, isStock }: JoinRequest): string | null {
  if (token === undefined) return id
  return isStock ? null : `${id} ${session}`
}

const guessRefusal = (waitMs: number): RoomRefusal =>
  new RoomRefusal({
    code: 'overloaded',
    detail: serverRefusalsStrings.room.manyGuesses,
    retryAfterMs: Math.ceil(waitMs),
  })
