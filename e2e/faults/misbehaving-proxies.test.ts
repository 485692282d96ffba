import { describe, expect, test } from 'vitest'
import type { NetworkTransportId } from '../../lib/transports/descriptors.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import type { HttpFaults } from '../fixtures/http-faults.ts'
import { HttpProxy, type ProxyProtocol } from '../fixtures/http-proxy.ts'
import { isNginxInstalled, Nginx, nginxSkipNote } from './fixtures/nginx.ts'
import { expectAutomaticChoice } from './fixtures/automatic-choice.ts'
import { testedTransports } from '../fixtures/transport-routes.ts'

interface ProxyCase {
  readonly protocol: ProxyProtocol
  readonly faults: Partial<HttpFaults>
  readonly finalTransport: NetworkTransportId
  /** The findings for the transports that it gave up. */
  readonly expectedFindings: Partial<Record<NetworkTransportId, RegExp>>
}

/** On a busy machine even the first message of a link may come too late. */
const NO_ANSWER_IN_TIME = /^held back: no (answer|hello) within [\d.]+ s$/

/** The cut comes after the link was opened, or, on a busy machine, before that. */
const CLOSED_EARLY = /closed early|aborted/

const cases: Record<string, ProxyCase> = {
  'speaks only HTTP/1.1': {
    protocol: 'https',
    faults: {},
    finalTransport: 'websocket',
    expectedFindings: {},
  },
  'strips Upgrade': {
    protocol: 'https',
    faults: { upgrade: 'stripped' },
    finalTransport: 'sse',
    expectedFindings: { websocket: /426|refused/i },
  },
  'refuses Upgrade': {
    protocol: 'h2',
    faults: { upgrade: 'refused' },
    finalTransport: 'sse',
    expectedFindings: { websocket: /^refused \(403\)$/ },
  },
  'holds answers back': {
    protocol: 'http',
    faults: { upgrade: 'refused', bufferAnswers: true },
    finalTransport: 'long-poll',
    expectedFindings: { websocket: /^refused \(403\)$/, sse: NO_ANSWER_IN_TIME },
  },
  'holds answers and bodies back, speaks HTTP/2': {
    protocol: 'h2',
    faults: { upgrade: 'refused', bufferAnswers: true, bufferBodies: true },
    finalTransport: 'long-poll',
    expectedFindings: { websocket: /^refused \(403\)$/, sse: NO_ANSWER_IN_TIME },
  },
  'drops the data of streams': {
    protocol: 'http',
    faults: {
      upgrade: 'refused',
      choosePieceOutcome: (path) => (['/sync/sse', '/sync/stream'].includes(path) ? 'dropped' : 'passes'),
    },
    finalTransport: 'long-poll',
    // The hello of `sse` arrives, and its session begins: what was written meanwhile is saved by the next one (A5).
    expectedFindings: { websocket: /^refused \(403\)$/, sse: NO_ANSWER_IN_TIME },
  },
  'cuts streams early': {
    protocol: 'http',
    faults: { upgrade: 'refused', cutAnswersAfterMs: 700 },
    // The age of an answer counts from its first byte, and a waiting poll has none until there is news.
    finalTransport: 'long-poll',
    expectedFindings: { websocket: /^refused \(403\)$/, sse: CLOSED_EARLY, stream: CLOSED_EARLY },
  },
}

const testedCases = Object.entries(cases).filter(([, { finalTransport }]) =>
  testedTransports.includes(finalTransport),
)

describe.concurrent('[S5] Automatic ends on a transport that works, reports why, and loses nothing', () => {
  test.each(testedCases)(
    'behind a proxy that %s',
    async (_name, { protocol, faults, finalTransport, expectedFindings }) => {
      await using server = await RealServer.start()
      await using proxy = await HttpProxy.startBefore(server, protocol)
      proxy.setFaults(faults)
      await expectAutomaticChoice(server, proxy.origin, { finalTransport, expectedFindings })
    },
    60_000,
  )

  test.skipIf(!isNginxInstalled || !testedTransports.includes('long-poll')).each(['http', 'https'] as const)(
    `behind a real nginx that buffers answers and bodies, %s${nginxSkipNote}`,
    async (scheme) => {
      await using server = await RealServer.start()
      await using nginx = await Nginx.start(Number(new URL(server.origin('http')).port))
      await expectAutomaticChoice(server, nginx.origins[scheme], {
        finalTransport: 'long-poll',
        expectedFindings: { websocket: /426|refused/i, sse: NO_ANSWER_IN_TIME },
        onConverged: () => expect(nginx.errorOutput).toBe(''),
      })
    },
    60_000,
  )
})
