/** Stands in a document for whoever brings text that others wrote, without being in the room: it is sent nothing, and its right may change. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { Principal, Role } from '../access/principal.ts'
import { NO_CLIENT, type RoomMember } from './room-members.ts'

const doNothing = (): void => {}

const deafSubscriber: RoomMember['subscriber'] = {
  onState: doNothing,
  onChange: () => true,
  onMissedEdits: doNothing,
  onPresence: doNothing,
  onWholePresence: doNothing,
  onRole: doNothing,
  onStoreStatus: doNothing,
  onEvicted: doNothing,
}

export class TextBringer {
  readonly document: string
  readonly part = 'body'
  /** May do nothing until its role is known. */
  readonly member: RoomMember
  readonly members: ReadonlySet<RoomMember>

  /** @param source Stands in the log for a session. */
  constructor(document: string, principal: Principal, source: string) {
    this.document = document
    this.member = {
      subscriber: deafSubscriber,
      principal,
      session: source,
      token: '',
      isStock: false,
      role: 'viewer',
      client: NO_CLIENT,
      hasState: false,
      uncommittedEdits: 0,
      lagClocks: null,
    }
    this.members = new Set([this.member])
  }

  evict(member: RoomMember, reason: CloseReason): void {
    member.eviction = reason
  }

  setRole(member: RoomMember, role: Role): void {
    member.role = role
  }
}
