import { expect, test } from 'vitest'
import { settle } from '../fixtures/wait.ts'
import { startLinks, switchOutcome } from './fixtures/links-fixture.ts'

test('[S5] each link in use is recorded with the one before it and the reason', async () => {
  const fixture = await startLinks()
  await switchOutcome(fixture, 'sse')
  await fixture.clock.pass(20_000)
  fixture.transports.sse.last.drop({ code: 'lost', detail: 'a cable' })
  await fixture.clock.pass(5_000)
  await settle()
  const linkChanges = fixture.links.record.linkChanges.map(({ from, to, reason }) => [from, to, reason])
  expect(linkChanges).toEqual([
    ['', 'websocket', 'opened'],
    ['websocket', 'sse', 'chosen by you'],
    ['sse', 'sse', 'the connection broke (a cable)'],
  ])
})

test('a record that nobody reads does not grow for ever', async () => {
  const fixture = await startLinks()
  for (let time = 0; time < 40; time++) {
    await switchOutcome(fixture, 'sse')
    await switchOutcome(fixture, 'websocket')
  }
  expect(fixture.links.record.linkChanges.length).toBe(50)
  expect(fixture.links.record.linkChanges.at(-1)).toMatchObject({ from: 'sse', to: 'websocket' })
})
