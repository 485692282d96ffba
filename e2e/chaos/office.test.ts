import { expect, test } from 'vitest'
import { runOffice } from './office.ts'

test('[honest load] 100 people behind one address meet no limit', async () => {
  const people = 100
  const { refusals, complaints, rooms, windows } = await runOffice({
    seed: 1,
    people,
    arriveMs: 3_000,
    writeMs: 2_000,
  })
  expect(refusals).toEqual({})
  expect(complaints).toEqual([])
  expect(rooms).toBe(people / 5)
  expect(windows).toBeGreaterThan(people)
}, 240_000)
