import { describe, expect, test } from 'vitest'
import { RealServer } from '../../server/fixtures/real-server.ts'
import type { HttpFaults } from '../support/http-faults.ts'
import { HttpProxy, type Speaks } from '../support/http-proxy.ts'
import { hasNginx, Nginx, noNginx } from '../support/nginx.ts'
import { automatic } from './automatic.ts'
import { type NetworkTransport, networkTransports } from '../chaos/ways.ts'

interface Case {
  readonly speaks: Speaks
  readonly faults: Partial<HttpFaults>
  readonly ends: NetworkTransport
  /** What it says of those it gave up. */
  readonly says: Partial<Record<NetworkTransport, RegExp>>
}

/** On a machine that is busy enough even the first message of a link comes too late. */
const HELD_BACK = /^held back: no (answer|hello) within [\d.]+ s$/

/** The cut comes after the link was opened, or, on a busy machine, before. */
const CUT = /closed early|aborted/

const cases: Record<string, Case> = {
  'speaks only HTTP/1.1': { speaks: 'https', faults: {}, ends: 'websocket', says: {} },
  'strips Upgrade': {
    speaks: 'https',
    faults: { upgrade: 'stripped' },
    ends: 'sse',
    says: { websocket: /426|refused/i },
  },
  'refuses Upgrade': {
    speaks: 'h2',
    faults: { upgrade: 'refused' },
    ends: 'sse',
    says: { websocket: /^refused \(403\)$/ },
  },
  'holds answers back': {
    speaks: 'http',
    faults: { upgrade: 'refused', holdAnswers: true },
    ends: 'long-poll',
    says: { websocket: /^refused \(403\)$/, sse: HELD_BACK },
  },
  'holds answers and bodies back, speaks HTTP/2': {
    speaks: 'h2',
    faults: { upgrade: 'refused', holdAnswers: true, holdBodies: true },
    ends: 'long-poll',
    says: { websocket: /^refused \(403\)$/, sse: HELD_BACK },
  },
  'cuts streams early': {
    speaks: 'http',
    faults: { upgrade: 'refused', cutAnswersAfterMs: 700 },
    // A parked poll is cut by its age from the first byte on: it has none until there is news.
    ends: 'long-poll',
    says: { websocket: /^refused \(403\)$/, sse: CUT, stream: CUT },
  },
}

const known = Object.entries(cases).filter(([, { ends }]) => networkTransports.includes(ends))

describe.concurrent('[S5] automatic choice ends on what works, says why, and loses nothing', () => {
  test.each(known)(
    'behind a proxy that %s',
    async (_name, { speaks, faults, ends, says }) => {
      await using server = await RealServer.start()
      await using proxy = await HttpProxy.listen(speaks)
      proxy.targetPort = Number(new URL(server.origin('http')).port)
      proxy.set(faults)
      await automatic(server, proxy.origin, { ends, says })
    },
    60_000,
  )

  test.skipIf(!hasNginx || !networkTransports.includes('long-poll')).each(['http', 'https'] as const)(
    `behind a real nginx that buffers answers and bodies, %s${noNginx}`,
    async (scheme) => {
      await using server = await RealServer.start()
      await using nginx = await Nginx.start(Number(new URL(server.origin('http')).port))
      await automatic(server, nginx.origins[scheme], {
        ends: 'long-poll',
        says: { websocket: /426|refused/i, sse: HELD_BACK },
        atRest: () => expect(nginx.said).toBe(''),
      })
    },
    60_000,
  )
})
