import { expect, test } from 'vitest'
import type { AccessRequest } from '../access/access.ts'
import { Meter } from './meter.ts'
import { createPageMeter } from './page-meter.ts'

const requestOf = (peer: string, cookie?: string): AccessRequest => ({
  method: 'GET',
  headers: cookie === undefined ? {} : { cookie },
  secure: false,
  peer,
})

test('[A6] pages are bounded by address, and whoever has a session pays for their own past that', async () => {
  const meter = new Meter({ clock: { now: () => 0, after: () => () => {} } })
  const takePage = createPageMeter({
    meter,
    access: {
      rateLimits: { addressOf: ({ peer }) => peer },
      findPerson: async ({ headers: { cookie }, peer: address }) =>
        cookie === undefined ? null : { id: `user:${cookie}`, name: cookie, credential: '', address },
    },
  })
  const countPages = async (request: AccessRequest): Promise<number> => {
    let pages = 0
    while ((await takePage(request)) === 0) pages += 1
    return pages
  }
  expect(await countPages(requestOf('office'))).toBe(3_333)
  expect(await countPages(requestOf('office'))).toBe(0)
  expect(await countPages(requestOf('elsewhere'))).toBe(3_333)
  expect(await countPages(requestOf('office', 'ada'))).toBe(667)
  expect(meter.waitMs({ id: 'user:bob', address: 'office' })).toBe(0)
})
