/** Runs two windows on Automatic behind one proxy: they write from the first moment on, and end on the transport that works there. */
import { expect } from 'vitest'
import { openDocument } from '../../lib/client.ts'
import type { RealServer } from '../../server/fixtures/real-server.ts'
import { createSeededRandom } from '../chaos/seeded-random.ts'
import {
  checkReplicasAndStore,
  waitUntilTrue,
  waitForConvergence,
  describeWriter,
} from '../chaos/convergence.ts'
import { DiptychWriter } from '../chaos/chaos-writers.ts'
import type { NetworkTransportId } from '../chaos/transport-routes.ts'
import { waitForAcknowledgedEdits } from './fault-scenario.ts'

interface ExpectedChoice {
  readonly finalTransport: NetworkTransportId
  readonly expectedFindings: Partial<Record<NetworkTransportId, RegExp>>
  /** Called once everything is saved, before anything ends: a window's last upload may come after the server has gone. */
  readonly onConverged?: () => void
}

export async function expectAutomaticChoice(
  server: RealServer,
  url: string,
  expected: ExpectedChoice,
): Promise<void> {
  const { finalTransport, expectedFindings, onConverged } = expected
  const { id, tokens } = await server.createDocument()
  const options = { url, document: id, token: tokens.editor, insecure: true }
  const writers = ['a', 'b'].map(
    (name) => new DiptychWriter(name, createSeededRandom(1, name), openDocument(options), 100),
  )
  const stop = new AbortController()
  try {
    for (const writer of writers) writer.start(stop.signal)
    await waitUntilTrue(`every window on ${finalTransport}`, () =>
      writers.every(({ window }) => window.transport?.transport === finalTransport),
    )
    await waitForAcknowledgedEdits(writers, 5)
    for (const { window } of writers) {
      const evidence = new Map(
        window.status.get().evidence.map((finding) => [finding.transport, finding.words]),
      )
      for (const [transport, words] of Object.entries(expectedFindings))
        expect(evidence.get(transport as NetworkTransportId)).toMatch(words)
      expect(window.transport?.transport).toBe(finalTransport)
    }
    stop.abort()
    await waitForConvergence(writers)
    onConverged?.()
    await Promise.all(writers.map((writer) => writer.close()))
    await server.stop()
    checkReplicasAndStore([...writers.map(({ doc }) => doc), await server.readStoredDocument(id)], writers)
  } catch (error) {
    throw new Error([String(error), ...writers.map(describeWriter)].join('\n'), { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}
