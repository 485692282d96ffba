/** The gateway of long polling. */
import { longPoll } from '../../lib/transports/long-poll.ts'
import { createPolledGateway } from './polls.ts'

/** Proxies cut a request that waits for 30 s, and the link of a closed page is gone after 15 s. */
export const createLongPollGateway = createPolledGateway(longPoll, {
  maxHoldMs: 25_000,
  unpolledTimeoutMs: 15_000,
})
