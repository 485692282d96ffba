import { expect, test } from 'vitest'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { fastClock, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'

const type = ({ doc }: FixtureWindow, text: string): void => doc.getText('words').insert(0, text)

const evidenceTextOf = ({ status }: FixtureWindow, transport: string): string | undefined =>
  status.get().evidence.find((one) => one.transport === transport)?.words

test('[S5] if uploads are held back, single requests take over, and nothing is lost or doubled', async () => {
  const fixture = await SessionFixture.open()
  const window = fixture.openWindow('a', { transport: 'sse', clock: fastClock })
  const other = fixture.openWindow('b')
  await Promise.all([window.whenSynced, other.whenSynced])
  expect(window.transport?.up).toBe('streamed body')
  window.network.holdUploads()
  type(window, 'held ')
  await window.whenSaved()
  await waitUntil(() => other.doc.getText('words').toJSON() === 'held ')
  expect(window.transport?.up).not.toBe('streamed body')
  expect(window.stats()).toMatchObject({ links: 2, switches: 1, longestGapMs: 0 })
  await waitUntil(
    () => evidenceTextOf(window, 'sse') === 'in use, by single requests: a streamed one was held back',
  )
  window.network.cut()
  type(window, 'and on ')
  await window.whenSaved()
  expect(window.transport?.up).not.toBe('streamed body')
})

test('[S5] [S7] a resumed link expects no acknowledgement, so it is not doubted before there is silence', async () => {
  const fixture = await SessionFixture.open()
  const clock = new ManualClock()
  const window = fixture.openWindow('a', { clock })
  await window.whenSynced
  type(window, 'a')
  await waitUntil(() => window.status.get().unsaved === 0)
  window.network.cut()
  await clock.pass(250)
  await waitUntil(() => window.status.get().link.state === 'up')
  const { length } = window.network.clientMessageTypes
  await clock.pass(9_000)
  expect(window.network.clientMessageTypes.slice(length)).not.toContain('ping')
  await clock.pass(30_000)
  await waitUntil(() => window.network.clientMessageTypes.slice(length).includes('ping'))
})

test('[S7] text without an acknowledgement raises a doubt: the link is left after two deadlines', async () => {
  const fixture = await SessionFixture.open()
  const clock = new ManualClock()
  const window = fixture.openWindow('a', { clock })
  await window.whenSynced
  await clock.pass(1_000)
  window.network.dropUploads()
  type(window, 'unheard')
  await clock.pass(4_500)
  expect(window.network.lines).toHaveLength(2)
  await waitUntil(() => window.status.get().unsaved === 0)
})
