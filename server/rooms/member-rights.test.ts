import { beforeEach, describe, expect, test } from 'vitest'
import { settle } from '../../lib/fixtures/wait.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { Principal, Role } from '../access/principal.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { RateLimits } from '../rate-limit.ts'
import { createRoomMember, principalOf } from './fixtures/room-member.ts'
import { refusalOf } from './fixtures/rooms-fixture.ts'
import { MemberRights } from './member-rights.ts'
import type { RoomMember } from './room-members.ts'
import type { JoinRequest } from './rooms.ts'

const ada = principalOf('user:ada')
const link: Principal = { ...principalOf('link:1'), token: 'token' }
const ALLOWED_GUESSES = 2

/** What access is asked, and what it answers. */
let asked: string[]
let answer: (document: string) => Role | null | Promise<Role | null>
let rights: MemberRights
const clock = { at: 0, now: () => clock.at }

beforeEach(() => {
  asked = []
  answer = () => 'editor'
  const access = {
    roleOf: (principal: Principal, document: string, token = '') => {
      asked.push(`${principal.id} ${document} ${token}`.trim())
      return Promise.resolve(answer(document))
    },
  }
  const guessLimits = new RateLimits({ atOnce: ALLOWED_GUESSES, perSecond: 0.1 }, clock)
  rights = new MemberRights({ access, guessLimits, log: silentLogger })
})

describe('[A6] whoever joins', () => {
  const join = (fields: Partial<JoinRequest> = {}, document = 'd'): Promise<Role> => {
    const request = {
      document,
      part: 'body',
      principal: ada,
      session: 's',
      token: '',
      ...fields,
    } as JoinRequest
    return rights.roleOfJoiner(request, document)
  }
  const codeOf = async (joining: Promise<Role>) => (await refusalOf(joining)).code
  const guess = async (fields: Partial<JoinRequest> = {}) => {
    answer = () => null
    return codeOf(join(fields))
  }
  const guessAll = async (fields: Partial<JoinRequest> = {}) => {
    for (let n = 0; n < ALLOWED_GUESSES; n++) expect(await guess(fields)).toBe('forbidden')
  }

  test('gets the role that access names, by its principal or by a token', async () => {
    expect(await join({ token: 'secret' })).toBe('editor')
    expect(asked).toEqual(['user:ada d secret'])
  })

  test('pays nothing for a right guess, and is looked up no more after too many wrong ones, until time has passed', async () => {
    for (let n = 0; n < 3 * ALLOWED_GUESSES; n++) await join()
    await guessAll()
    asked.length = 0
    const { code, retryAfterMs } = await refusalOf(join())
    expect([code, asked]).toEqual(['overloaded', []])
    clock.at += retryAfterMs!
    answer = () => 'viewer'
    expect(await join()).toBe('viewer')
  })

  test('of those who share a link, each session guesses for itself', async () => {
    await guessAll({ principal: link, session: 'one' })
    expect(await guess({ principal: link, session: 'one' })).toBe('overloaded')
    expect(await guess({ principal: link, session: 'two' })).toBe('forbidden')
  })

  test('as a stock client with a link guesses once a connection, which counts elsewhere', async () => {
    const stock = { principal: link, session: 'stock', isStock: true }
    await guessAll(stock)
    expect(await guess(stock)).toBe('forbidden')
  })

  test('owns its own desk, and no other, without a question to access', async () => {
    expect(await join({ part: 'desk' }, 'user:ada')).toBe('owner')
    expect(await codeOf(join({ part: 'desk' }, 'user:bob'))).toBe('forbidden')
    expect(asked).toEqual([])
  })
})

/** A room of these members, and what was done to them. */
function createRoom(document: string, ...roomMembers: RoomMember[]) {
  const members = new Set(roomMembers)
  const events: [string, RoomMember][] = []
  return {
    document,
    part: 'body' as const,
    members,
    events,
    evict: (member: RoomMember, { code }: CloseReason) => void events.push([`evict: ${code}`, member]),
    setRole: (member: RoomMember, role: Role) => void events.push([`role: ${role}`, member]),
  }
}

describe('[A4] a member whose rights may have changed', () => {
  const recheck = async (answered: typeof answer) => {
    answer = answered
    const room = createRoom('d', createRoomMember({ token: 'secret' }))
    const [member] = room.members
    await rights.recheck(room, member!)
    expect(asked).toEqual(['user:ada d secret'])
    return room.events.map(([event]) => event)
  }

  test('without a role is evicted', async () => {
    expect(await recheck(() => null)).toEqual(['evict: forbidden'])
  })

  test('with another role gets that one, and with the same nothing happens', async () => {
    expect(await recheck(() => 'viewer')).toEqual(['role: viewer'])
    asked.length = 0
    expect(await recheck(() => 'editor')).toEqual([])
  })

  test('whose rights cannot be read is evicted for a while', async () => {
    expect(await recheck(() => Promise.reject(new Error('no database')))).toEqual(['evict: overloaded'])
  })
})

describe('[A4] all members of rooms', () => {
  const membersOf = (count: number) => Array.from({ length: count }, () => createRoomMember())

  test('are looked at one after the other in each of eight rooms, and whoever waits for that waits once', async () => {
    const pending = Promise.withResolvers<Role>()
    answer = () => pending.promise
    const rooms = Array.from({ length: 10 }, (_, index) => createRoom(`d${index}`, ...membersOf(2)))
    for (const room of [...rooms, ...rooms]) rights.recheckAll(room)
    await settle()
    expect(asked).toEqual(rooms.slice(0, 8).map(({ document }) => `user:ada ${document}`))
    pending.resolve('editor')
    await settle(5)
    const counts = Map.groupBy(asked, (question) => question)
    // In the first eight rooms one member was being looked at when it fell due again.
    expect(Array.from(counts.values(), ({ length }) => length)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 2, 2])
  })

  test('who left meanwhile is passed over', async () => {
    const [first, second, third] = membersOf(3)
    const room = createRoom('d', first!, second!, third!)
    answer = () => 'viewer'
    rights.recheckAll(room)
    room.members.delete(second!)
    await settle(5)
    expect(room.events).toEqual([
      ['role: viewer', first],
      ['role: viewer', third],
    ])
  })
})
