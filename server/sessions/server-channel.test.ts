/** Turns of large states that a channel takes: whoever leaves keeps none. */
import { expect, test } from 'vitest'
import { attach } from '../fixtures/raw-client.ts'
import { Counts } from '../metrics/counts.ts'
import { type JoinRequest, type Membership, RoomRefusal, type Rooms } from '../rooms/rooms.ts'
import { type ChannelPort, ServerChannel } from './server-channel.ts'
import { StateBudget } from './state-budget.ts'
import type { SharedUpdates } from '../../lib/protocol/shared.ts'

const MIB = 1024 * 1024

const membership = {
  owes: () => 10 * MIB,
  catchUp: () => {},
  leave: () => {},
} as unknown as Membership

function openChannel(
  budget: StateBudget,
  join: (request: JoinRequest) => Promise<Membership>,
): ServerChannel {
  const port: ChannelPort = {
    rooms: { join } as unknown as Rooms,
    principal: { id: 'user:a', name: 'A', credential: 'a' },
    session: 's',
    say: () => {},
    sayState: () => {},
    sayChange: () => false,
    sayOnce: () => {},
    takesPresence: true,
    budget,
    counts: new Counts(),
    onBadInput: () => {},
  }
  return new ServerChannel(attach('document'), port)
}

test('[S6] a channel that leaves while it waits to catch up passes its turn on at once', async () => {
  const budget = new StateBudget()
  const other = await budget.take(64 * MIB, 'user:b')
  const channel = openChannel(budget, async () => membership)
  await channel.join(attach('document'))
  channel.onChange({} as SharedUpdates)
  const caughtUp = channel.onProgress()
  channel.leave()
  other.end()
  await caughtUp
  expect(budget.inFlight).toBe(0)
})

test('[S6] a channel that is refused after its turn has come passes it on at once', async () => {
  const budget = new StateBudget()
  const channel = openChannel(budget, async ({ admit }) => {
    await admit?.(10 * MIB)
    throw new RoomRefusal({ code: 'overloaded' })
  })
  await channel.join(attach('document'))
  expect(budget.inFlight).toBe(0)
})
