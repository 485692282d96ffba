import { expect, test } from 'vitest'
import { Pace, pauseFor } from './pace.ts'

test.each<[seats: number, ms: number]>([
  [1, 0],
  [19, 0],
  [40, 2],
  [200, 10],
  [10_000, 40],
])('from one turn to the next a room of %i seats waits %i ms', (seats, ms) => {
  expect(pauseFor(seats)).toBe(ms)
})

/** Whether it is settled within this turn of the loop. */
async function atOnce(turn: Promise<void>): Promise<boolean> {
  let settled = false
  void turn.then(() => (settled = true))
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

test('a calm room never waits', async () => {
  const pace = new Pace()
  expect([await atOnce(pace.turn(2)), await atOnce(pace.turn(2)), pace.pauses]).toEqual([true, true, false])
})

/** Whether it is settled before anything else can happen. */
async function inThisInstant(turn: Promise<void>): Promise<boolean> {
  let settled = false
  void turn.then(() => (settled = true))
  for (let tick = 0; tick < 20; tick++) await Promise.resolve()
  return settled
}

test('a calm room waits for nobody, a busy one for all that arrived together', async () => {
  expect(await inThisInstant(new Pace().turn(2))).toBe(true)
  expect(await inThisInstant(new Pace().turn(1_000))).toBe(false)
})

test('a busy room begins at once, waits for its next turn, and not after a pause in which nothing came', async () => {
  const pace = new Pace()
  expect([await atOnce(pace.turn(1_000)), pace.pauses]).toEqual([true, true])
  const second = pace.turn(1_000)
  expect(await atOnce(second)).toBe(false)
  await second
  await expect.poll(() => pace.pauses).toBe(false)
  expect(await atOnce(pace.turn(1_000))).toBe(true)
})

test('a room that is closed waits for nothing', async () => {
  const pace = new Pace()
  await pace.turn(1_000)
  const second = pace.turn(1_000)
  expect(await atOnce(second)).toBe(false)
  pace.stop()
  expect(await atOnce(second)).toBe(true)
})
