import { expect, test } from 'vitest'
import { startLinks } from './fixtures/links-fixture.ts'
import { LivenessMonitor } from './liveness-monitor.ts'

/** An outbox that has ever sent so many messages. */
async function createFixture(last: number) {
  const { links, clock, transports } = await startLinks({ wanted: 'sse' })
  const monitor = new LivenessMonitor({ clock, links, outbox: { last, bytes: 0 }, onMeasured: () => {} })
  return { links, clock, monitor, countOpenings: () => transports.sse.signals.length }
}

test('[S5] an acknowledgement is due for messages that waited for a link', async () => {
  const { links, clock, monitor, countOpenings } = await createFixture(3)
  monitor.onLinkChange(links.current)
  await clock.pass(1_999)
  expect(countOpenings()).toBe(1)
  await clock.pass(1)
  expect(countOpenings()).toBe(2)
})

test('[S5] no acknowledgement is due for messages that the other side has', async () => {
  const { links, clock, monitor, countOpenings } = await createFixture(3)
  monitor.onAcknowledged(3)
  monitor.onLinkChange(links.current)
  await clock.pass(60_000)
  expect(countOpenings()).toBe(1)
})

test('[S5] bytes still on their way get a second for each 8 KB', async () => {
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
