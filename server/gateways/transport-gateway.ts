/** The gateway of one transport in registry.ts, and the times that it keeps. */
import type { Gateway, GatewayDependencies } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'

export interface PollTiming {
  /** How long a poll may wait for an answer at most. */
  readonly maxHoldMs: number
  /** How long a link lives without a poll. */
  readonly unpolledTimeoutMs: number
}

/** What a test may change of the gateways' own times. */
export interface GatewayTiming extends Partial<PollTiming> {
  readonly ticketLifetimeMs?: number
}

export type CreateTransportGateway = (
  dependencies: GatewayDependencies,
  links: HttpLinks,
  timing?: GatewayTiming,
) => Gateway
