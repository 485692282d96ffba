/** Who asks within a session for documents that are not theirs: after so many wrong ones nothing is looked up. */
import { expect, test } from 'vitest'
import { newDocumentId, randomId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import { RateLimits } from '../rate-limit.ts'
import { type House, houseForFile, refusalOf, Window } from './fixtures/house.ts'

let house: House
houseForFile((opened) => (house = opened))

const clock = { at: 0, now: () => clock.at }

/** Rooms in which four guesses may be wrong at once, and one in ten seconds after that. */
function strictRooms() {
  const looked: string[] = []
  const { access } = house
  const rooms = house.openRooms({
    guesses: new RateLimits({ atOnce: 4, perSecond: 0.1 }, clock),
    access: {
      onChanged: (listener) => access.onChanged(listener),
      roleOf(principal, document, token) {
        looked.push(document)
        return access.roleOf(principal, document, token)
      },
    },
  })
  const join = async (document: string, principal: Principal, token = ''): Promise<string> => {
    const joining = new Window().join(rooms, document, principal, undefined, { token })
    return joining.then(
      () => 'joined',
      async () => (await refusalOf(joining)).code,
    )
  }
  return { join, looked, close: () => rooms.close() }
}

test('[A6] wrong ids and tokens of one person are refused without a look, however many at once, and right ones cost nothing', async () => {
  const { join, looked, close } = strictRooms()
  const [mine, theirs] = [await house.document(), await house.document()]
  for (let n = 0; n < 9; n++) expect(await join(mine.id, mine.owner)).toBe('joined')
  looked.length = 0
  const guesses = Array.from({ length: 200 }, (_, n) =>
    n % 2 === 0 ? join(newDocumentId(), mine.owner) : join(theirs.id, mine.owner, randomId()),
  )
  const codes = Map.groupBy(await Promise.all(guesses), (code) => code)
  expect([codes.get('forbidden')?.length, codes.get('overloaded')?.length]).toEqual([4, 196])
  expect(looked).toHaveLength(4)
  expect(await join(mine.id, mine.owner)).toBe('overloaded')
  expect(await join(theirs.id, theirs.owner)).toBe('joined')
  clock.at += 10_000
  expect(await join(mine.id, mine.owner)).toBe('joined')
  await close()
})
