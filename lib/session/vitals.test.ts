import { expect, test } from 'vitest'
import { started } from './fixtures/links-world.ts'
import { Vitals } from './vitals.ts'

/** So many messages were said, ever. */
async function world(last: number) {
  const { links, clock, transports } = await started({ wanted: 'sse' })
  const vitals = new Vitals({ clock, links, outbox: { last, bytes: 0 }, onMeasured: () => {} })
  return { links, clock, vitals, opened: () => transports.sse.signals.length }
}

test('[S5] what waited for a link is owed on it', async () => {
  const { links, clock, vitals, opened } = await world(3)
  vitals.onLink(links.current)
  await clock.pass(1_999)
  expect(opened()).toBe(1)
  await clock.pass(1)
  expect(opened()).toBe(2)
})

test('[S5] what the other side has is not', async () => {
  const { links, clock, vitals, opened } = await world(3)
  vitals.arrived(3)
  vitals.onLink(links.current)
  await clock.pass(60_000)
  expect(opened()).toBe(1)
})

test('[S5] what is still on its way is granted a second for 8 KB', async () => {
  const { clock, links } = await started({ wanted: 'websocket' })
  const vitals = new Vitals({ clock, links, outbox: { last: 1, bytes: 80_000 }, onMeasured: () => {} })
  vitals.said()
  await clock.pass(12_000)
  expect(links.current).not.toBe(null)
  await clock.pass(12_001)
  expect(links.current).toBe(null)
})
