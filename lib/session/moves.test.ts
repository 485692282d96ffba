import { expect, test } from 'vitest'
import { settle } from './fixtures/manual-clock.ts'
import { started, switching } from './fixtures/links-world.ts'

test('[S5] each link that came into use is on record, with the one before it and why', async () => {
  const world = await started()
  await switching(world, 'sse')
  await world.clock.pass(20_000)
  world.transports.sse.last.drop({ code: 'lost', detail: 'a cable' })
  await world.clock.pass(5_000)
  await settle()
  const moves = world.links.record.moves.map(({ from, to, reason }) => [from, to, reason])
  expect(moves).toEqual([
    ['', 'websocket', 'opened'],
    ['websocket', 'sse', 'chosen by you'],
    ['sse', 'sse', 'the connection broke (a cable)'],
  ])
})

test('a record that nobody reads does not grow for ever', async () => {
  const world = await started()
  for (let time = 0; time < 40; time++) {
    await switching(world, 'sse')
    await switching(world, 'websocket')
  }
  expect(world.links.record.moves.length).toBe(50)
  expect(world.links.record.moves.at(-1)).toMatchObject({ from: 'sse', to: 'websocket' })
})
