/** A session that requests documents of others: after some wrong guesses nothing is looked up. */
import { expect, test } from 'vitest'
import { newDocumentId, randomId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import { RateLimits } from '../rate-limit.ts'
import {
  type RoomsFixture,
  openRoomsFixtureForFile,
  refusalOf,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

const clock = { at: 0, now: () => clock.at }

/** Rooms that allow four wrong guesses at once, and then one in ten seconds. */
function openStrictRooms() {
  const lookedUp: string[] = []
  const { access } = fixture
  const rooms = fixture.openRooms({
    guessLimits: new RateLimits({ atOnce: 4, perSecond: 0.1 }, clock),
    access: {
      onChanged: (listener) => access.onChanged(listener),
      roleOf(principal, document, token) {
        lookedUp.push(document)
        return access.roleOf(principal, document, token)
      },
    },
  })
  const join = async (document: string, principal: Principal, token = ''): Promise<string> => {
    const joining = new RoomWindow().join(rooms, document, principal, undefined, { token })
    return joining.then(
      () => 'joined',
      async () => (await refusalOf(joining)).code,
    )
  }
  return { join, lookedUp, close: () => rooms.close() }
}

test('[A6] wrong ids and tokens of one person are refused unread, however many at once, and right ones cost nothing', async () => {
  const { join, lookedUp, close } = openStrictRooms()
  const [mine, theirs] = [await fixture.document(), await fixture.document()]
  for (let n = 0; n < 9; n++) expect(await join(mine.id, mine.owner)).toBe('joined')
  lookedUp.length = 0
  const guesses = Array.from({ length: 200 }, (_, n) =>
    n % 2 === 0 ? join(newDocumentId(), mine.owner) : join(theirs.id, mine.owner, randomId()),
  )
  const codes = Map.groupBy(await Promise.all(guesses), (code) => code)
  expect([codes.get('forbidden')?.length, codes.get('overloaded')?.length]).toEqual([4, 196])
  expect(lookedUp).toHaveLength(4)
  expect(await join(mine.id, mine.owner)).toBe('overloaded')
  expect(await join(theirs.id, theirs.owner)).toBe('joined')
  clock.at += 10_000
  expect(await join(mine.id, mine.owner)).toBe('joined')
  await close()
})
