/**
 * Charges pages to the address that asks for them. Past what an address has, whoever has a session pays for their own pages, so that a
 * stranger behind the same address locks nobody out. Knows addresses and sessions; does not know pages.
 */
import type { AccessRequest } from '../access/access.ts'
import type { AccessService } from '../access/create-access.ts'
import type { Meter } from './meter.ts'
import { PRICES } from './prices.ts'

interface PageMeterOptions {
  readonly access: Pick<AccessService, 'findPerson'> & {
    readonly rateLimits: Pick<AccessService['rateLimits'], 'addressOf'>
  }
  readonly meter: Pick<Meter, 'takePage' | 'take'>
}

/** Returns a function that charges a page, and returns 0, or how many milliseconds its caller has to wait. */
export const createPageMeter =
  ({ access, meter }: PageMeterOptions) =>
  async (request: AccessRequest): Promise<number> => {
    const waitMs = meter.takePage(access.rateLimits.addressOf(request))
    if (waitMs === 0) return 0
    const person = await access.findPerson(request)
    return person ? meter.take(person, PRICES.page, 'page') : waitMs
  }
