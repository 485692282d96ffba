/** Permits for large states that a channel acquires: one that leaves keeps none. */
import { expect, test } from 'vitest'
import { createAttachMessage } from '../fixtures/raw-client.ts'
import { Meter } from '../metering/meter.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import type { Membership } from '../rooms/membership.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { type JoinRequest, RoomRefusal } from '../rooms/rooms.ts'
import { type ChannelContext, ServerChannel } from './server-channel.ts'
import { StateBudget } from './state-budget.ts'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'

const MIB = 1024 * 1024

const membership = {
  lagBytes: () => 10 * MIB,
  catchUp: () => {},
  leave: () => {},
} as unknown as Membership

function openChannel(
  budget: StateBudget,
  join: (request: JoinRequest) => Promise<Membership>,
): ServerChannel {
  const context: ChannelContext = {
    rooms: { join } as unknown as Rooms,
    principal: { id: 'user:a', name: 'A', credential: 'a' },
    session: 's',
    send: () => {},
    sendState: () => {},
    sendChange: () => false,
    sendUnnumbered: () => {},
    acceptsPresence: true,
    budget,
    meter: new Meter(),
    counts: new ServerCounts(),
    onBadInput: () => {},
  }
  return new ServerChannel(createAttachMessage('document'), context)
}

test('[S6] a channel that leaves while it waits to catch up releases its permit at once', async () => {
  const budget = new StateBudget()
  const other = await budget.acquire(64 * MIB, 'user:b')
  const channel = openChannel(budget, async () => membership)
  await channel.join(createAttachMessage('document'))
  channel.onChange({} as SharedUpdates)
  const catchingUp = channel.onProgress()
  channel.leave()
  other.release()
  await catchingUp
  expect(budget.inFlight).toBe(0)
})

test('[S6] a channel that is refused after it got its permit releases it at once', async () => {
  const budget = new StateBudget()
  const channel = openChannel(budget, async ({ admit }) => {
    await admit?.({ bytes: 10 * MIB, units: 1 })
    throw new RoomRefusal({ code: 'overloaded' })
  })
  await channel.join(createAttachMessage('document'))
  expect(budget.inFlight).toBe(0)
})
