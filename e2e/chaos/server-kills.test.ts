import { expect, test } from 'vitest'
import { killServerRepeatedly } from './server-kills.ts'

const MINUTE_MS = 60_000

test(
  '[D2] kill -9 ten times while five write over different transports',
  async () => {
    const report = await killServerRepeatedly({ seed: 1, kills: 10 })
    expect(report.acknowledged).toBe(report.tokens)
    expect(report.tokens).toBeGreaterThan(100)
    // Each of our four clients reconnected by itself, and more than once.
    expect(report.links).toBeGreaterThan(8)
  },
  8 * MINUTE_MS,
)
