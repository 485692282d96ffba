import { expect, test } from 'vitest'
import { startLinks } from './fixtures/links-fixture.ts'
import { LivenessMonitor } from './liveness-monitor.ts'

/** So many messages were said, ever. */
async function createFixture(last: number) {
  const { links, clock, transports } = await startLinks({ wanted: 'sse' })
  const monitor = new LivenessMonitor({ clock, links, outbox: { last, bytes: 0 }, onMeasured: () => {} })
  return { links, clock, monitor, countOpenings: () => transports.sse.signals.length }
}

test('[S5] what waited for a link is owed on it', async () => {
  const { links, clock, monitor, countOpenings } = await createFixture(3)
  monitor.onLinkChange(links.current)
  await clock.pass(1_999)
  expect(countOpenings()).toBe(1)
  await clock.pass(1)
  expect(countOpenings()).toBe(2)
})

test('[S5] what the other side has is not', async () => {
  const { links, clock, monitor, countOpenings } = await createFixture(3)
  monitor.onAcknowledged(3)
  monitor.onLinkChange(links.current)
  await clock.pass(60_000)
  expect(countOpenings()).toBe(1)
})

test('[S5] what is still on its way is granted a second for 8 KB', async () => {
  const { clock, links } = await startLinks({ wanted: 'websocket' })
  const monitor = new LivenessMonitor({
    clock,
    links,
    outbox: { last: 1, bytes: 80_000 },
    onMeasured: () => {},
  })
  monitor.onSent()
  await clock.pass(12_000)
  expect(links.current).not.toBe(null)
  await clock.pass(12_001)
  expect(links.current).toBe(null)
})
