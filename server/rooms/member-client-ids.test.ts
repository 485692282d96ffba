import { beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { SERVER_OWNER } from '../store/store.ts'
import type { Clocks } from './clocks.ts'
import { ClientOwners } from './client-owners.ts'
import { createRoomMember, principalOf } from './fixtures/room-member.ts'
import { MemberClientIds } from './member-client-ids.ts'
import { NO_CLIENT, type RoomMember } from './room-members.ts'

const nothing: Clocks = new Map()

const bob = (fields: Partial<RoomMember> = {}) =>
  createRoomMember({ principal: principalOf('user:bob'), session: 'a.fedcba9876543210Bob', ...fields })

/** A window that came by a share link, itself in its next session, and another one that came by the same link. */
const windowsOfLink = () =>
  ['a.0123456789abcdef1', 'b.0123456789abcdef2', 'a.another-window..3'].map((session) =>
    createRoomMember({ principal: { ...principalOf('link:1'), token: 'token' }, session, client: 7 }),
  )

describe('[A5] the client ids of members', () => {
  let ada: RoomMember
  let clocks: Map<number, number>
  let owners: ClientOwners
  let ids: MemberClientIds
  const open = (restoredAt: number | null = null) => {
    owners = new ClientOwners({}, restoredAt)
    ids = new MemberClientIds('body', owners, clocks)
  }
  beforeEach(() => {
    ada = createRoomMember({ client: 7 })
    clocks = new Map()
    open()
  })

  test('an announced id is free for its member’s person alone, until it leaves and others have come', () => {
    ids.announce(7, ada, nothing)
    expect([ids.isFree(7, createRoomMember()), ids.isFree(7, bob())]).toEqual([true, false])
    expect(() => ids.announce(7, bob(), nothing)).toThrow('somebody else')
    ids.release(ada)
    expect(owners.ownerOf(7)).toBe('user:ada') // its window may come back
  })

  test('of those who share a link, it is free for its window alone, while that is here', () => {
    const [window, again, other] = windowsOfLink()
    ids.announce(7, window!, nothing)
    expect([ids.isFree(7, again!), ids.isFree(7, other!)]).toEqual([true, false])
    ids.release(window!)
    expect(ids.isFree(7, other!)).toBe(true)
  })

  test('a member that has no id announces none', () => {
    ids.announce(NO_CLIENT, createRoomMember(), nothing)
    expect(owners.ownerOf(NO_CLIENT)).toBeUndefined()
  })

  test('a member that takes another id gives the former one back; where it may not, it keeps it', () => {
    const [window, , other] = windowsOfLink()
    ids.announce(7, window!, nothing)
    ids.announce(9, bob(), nothing)
    expect(() => ids.change(9, window!)).toThrow('somebody else')
    expect([window!.client, ids.isFree(7, other!)]).toEqual([7, false])
    ids.change(8, window!)
    expect([window!.client, ids.isFree(7, other!), ids.isFree(8, other!)]).toEqual([8, true, false])
  })

  test('a stock client takes the id of its presence, unless it shows none or somebody else’s', () => {
    const stock = bob({ isStock: true })
    ids.announce(7, ada, nothing)
    ids.adopt(undefined, stock)
    ids.adopt(7, stock)
    expect(stock.client).toBe(NO_CLIENT)
    ids.adopt(8, stock)
    expect([stock.client, owners.ownerOf(8)]).toEqual([8, 'user:bob'])
  })

  test('new text is claimed by its author, or by the server, and refused under the id of somebody else', () => {
    const text = new Map([[7, 3]])
    const { claims } = ids.claim(text, ada)
    expect(claims).toEqual([{ client: 7, principal: 'user:ada' }])
    const undo = ids.recordClaims(claims)
    expect(() => ids.claim(text, bob())).toThrow('somebody else')
    expect(() => ids.claim(text, null)).toThrow('somebody else')
    undo()
    expect(ids.claim(text, null).claims).toEqual([{ client: 7, principal: SERVER_OWNER }])
  })

  test('after a restore, text that its window still has and the server lacks may be brought back by others', () => {
    open(Date.now())
    clocks.set(7, 3)
    ids.announce(7, ada, new Map([[7, 3]]))
    expect(() => ids.claim(new Map([[7, 5]]), bob())).toThrow('somebody else')
    ids.announce(7, ada, new Map([[7, 5]]))
    expect(ids.claim(new Map([[7, 5]]), bob())).toEqual({ claims: [], recovers: true })
  })

  test('the server writes under an id of its own: where somebody has used it, the document gets another', () => {
    ids.announce(7, ada, nothing)
    const [free, used] = [new Y.Doc(), new Y.Doc()]
    free.clientID = 8
    used.clientID = 7
    expect(ids.announceServer(free).clientID).toBe(8)
    const { clientID } = ids.announceServer(used)
    expect(clientID).not.toBe(7)
    expect([owners.ownerOf(8), owners.ownerOf(clientID)]).toEqual([SERVER_OWNER, SERVER_OWNER])
  })

  test('what another node stored is taken over', () => {
    ids.learn(new Map([[7, 'user:bob']]))
    expect(ids.isFree(7, ada)).toBe(false)
  })

  test('on a desk, whose windows are one person’s, nothing is compared', () => {
    const desk = new MemberClientIds('desk', owners, clocks)
    desk.learn(new Map([[7, 'user:bob']]))
    desk.announce(7, ada, nothing)
    expect(desk.claim(new Map([[7, 3]]), ada)).toEqual({ claims: [], recovers: false })
    expect(owners.ownerOf(7)).toBeUndefined()
  })
})
