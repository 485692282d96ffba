import { describe, expect, test } from 'vitest'
import { attackWithCostlyRequests } from './costly-requests.ts'
import { costlyRequests } from './fixtures/costly-requests.ts'

const MAX_MEMORY_MIB = 1_536
/** A flood sends a thousand messages at once, and a long edit fills a tenth of what one person may have open. */
const REQUESTS: Readonly<Record<string, number>> = {
  digests: 20_000,
  'gaps that ask for everything again': 20_000,
  pings: 20_000,
  'questions for the time': 20_000,
  'a version that nobody reads': 40,
  'documents of empty objects': 40,
  'documents of long texts': 60,
  'hundreds of edits at once': 640,
  'thousands of messages of stock clients at once': 160_000,
  'edits while the store fails': 1_500,
}
const OTHER_REQUESTS = 300

describe('[A6] one guest who asks without a pause: the server lives, and everybody else’s edits are saved', () => {
  const kinds = Object.keys(costlyRequests).filter((kind) => kind !== 'nothing')

  test.each(kinds)('%s', { timeout: 240_000 }, async (kind) => {
    const requests = REQUESTS[kind] ?? OTHER_REQUESTS
    const [report] = await attackWithCostlyRequests({
      kinds: [kind],
      isOver: ({ sent, refused }) => sent + refused >= requests,
    })
    expect(report!.healthChecks.length).toBeGreaterThan(0)
    expect(report!.maxMemoryMiB).toBeGreaterThan(0)
    expect(report!.maxMemoryMiB).toBeLessThan(MAX_MEMORY_MIB)
  })
})
