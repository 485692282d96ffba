import { expect, test } from 'vitest'
import { flipUnderWriters } from './flips.ts'

const FLIPS = 20

test('[S4] transports flip every 200 ms under five writers: nothing lost, nothing doubled, never a moment without a link', async () => {
  const { switches, gapsMs } = await flipUnderWriters({ seed: 7, flips: FLIPS })
  expect(gapsMs).toEqual(gapsMs.map(() => 0))
  expect(switches).toEqual(switches.map(() => FLIPS))
}, 240_000)
