/**
 * Every transport that a person can choose, over HTTP/2 and, where HTTP/1.1 differs, over that. `npm test` tries two of them, one
 * of each kind: programs in Node test every transport far harder (e2e/faults, e2e/chaos). `npm run test:all` tries the others.
 */
import { test } from './fixtures.ts'
import type { Scheme } from './browser-test-server.ts'
import { type NetworkTransportId, networkTransports } from '../../lib/transports/descriptors.ts'

export interface TransportCase {
  readonly name: string
  readonly transport: NetworkTransportId
  /** Browsers use HTTP/2 over TLS alone. */
  readonly scheme: Scheme
  /** The protocol's name in ALPN. */
  readonly protocol: 'h2' | 'http/1.1'
}

const http2Case = (transport: NetworkTransportId): TransportCase => ({
  name: transport,
  transport,
  scheme: 'https',
  protocol: 'h2',
})

const http1Case = (transport: NetworkTransportId): TransportCase => ({
  name: `${transport} over HTTP/1.1`,
  transport,
  scheme: 'http',
  protocol: 'http/1.1',
})

/** Each transport within one HTTP/2 connection. */
export const http2Matrix: readonly TransportCase[] = networkTransports.map(http2Case)

/** Each transport within one HTTP/2 connection, and those that differ over HTTP/1.1, where each has its own connection. */
const transportMatrix: readonly TransportCase[] = [...http2Matrix, http1Case('websocket'), http1Case('sse')]

/** The cases of `npm test`. */
export const shortMatrix: readonly TransportCase[] = [http2Case('websocket'), http1Case('sse')]

/** Adds `@long` to cases that `npm test` leaves to `npm run test:all`. */
const tagsOf = ({ name }: TransportCase): string[] =>
  shortMatrix.some((shortCase) => shortCase.name === name) ? [] : ['@long']

/** Defines the same tests for each case, with the fixtures `transport` and `scheme` set to it. */
export function describeTransports(
  define: (transportCase: TransportCase) => void,
  cases: readonly TransportCase[] = transportMatrix,
): void {
  for (const transportCase of cases) {
    const { name, transport, scheme } = transportCase
    test.describe(`by ${name}`, { tag: tagsOf(transportCase) }, () => {
      test.use({ transport, scheme })
      define(transportCase)
    })
  }
}
