/** Measures the time from `openDocument` to a proven link and to the text, on networks that let less and less through. */
import type { HttpFaults } from '../../e2e/fixtures/http-faults.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { isSynced, isUp, waitForStatus, type ProxiedServer } from './proxied-server.ts'

export interface LinkOpening {
  /** The ms to a link that a round trip has proven. */
  readonly link: number
  /** The ms to the text. */
  readonly text: number
  /** The transport in use then: `Long polling, batched posts`. */
  readonly endedOn: string
  readonly evidence: readonly string[]
}

export const networks = {
  open: { faults: {}, words: 'lets everything through' },
  'no-upgrade': { faults: { upgrade: 'refused' }, words: 'refuses Upgrade (403)' },
  'upgrade-stripped': { faults: { upgrade: 'stripped' }, words: 'knows no Upgrade' },
  'held-answers': {
    faults: { upgrade: 'refused', bufferAnswers: true },
    words: 'refuses Upgrade, holds answers back until they end',
  },
  'held-both': {
    faults: { upgrade: 'refused', bufferAnswers: true, bufferBodies: true },
    words: 'the same, and holds uploads back, too',
  },
} as const satisfies Record<string, { faults: Partial<HttpFaults>; words: string }>

export type NetworkName = keyof typeof networks
export const networkNames = Object.keys(networks) as readonly NetworkName[]

export async function measureLinkOpening(server: ProxiedServer, network: NetworkName): Promise<LinkOpening> {
  const document = await server.newDocument()
  server.gate.heal()
  server.gate.setFaults(networks[network].faults)
  const start = performance.now()
  const opened = server.open(document, 'gate', 'automatic')
  try {
    const [link, text] = await Promise.all([waitForStatus(opened, isUp), waitForStatus(opened, isSynced)])
    const info = opened.transport
    return {
      link: link - start,
      text: text - start,
      endedOn: info ? `${transportLabels[info.transport]}, ${info.up}` : 'nothing',
      evidence: opened.status
        .get()
        .evidence.map(({ transport, words }) => `${transportLabels[transport]}: ${words}`),
    }
  } finally {
    await opened.close()
    server.gate.heal()
  }
}
