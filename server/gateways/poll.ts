/** The gateway of polling. */
import { poll } from '../../lib/transports/poll.ts'
import { createPolledGateway } from './polls.ts'

/** A hidden window's timers fire about once a minute. */
export const createPollGateway = createPolledGateway(poll, { maxHoldMs: 0, unpolledTimeoutMs: 90_000 })
