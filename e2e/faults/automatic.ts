/** Two windows on Automatic behind one proxy: they write from the first moment on, and end on what works there. */
import { expect } from 'vitest'
import { openDocument } from '../../lib/client.ts'
import type { RealServer } from '../../server/fixtures/real-server.ts'
import { randomOf } from '../chaos/random.ts'
import { checkEverywhere, comesToHold, comeToRest, describeWriter } from '../chaos/rest.ts'
import { OurWriter } from '../chaos/writers.ts'
import type { NetworkTransport } from '../chaos/ways.ts'
import { everybodyGetsOn } from './stage.ts'

interface Outcome {
  readonly ends: NetworkTransport
  readonly says: Partial<Record<NetworkTransport, RegExp>>
  /** Called once everything is saved, before anything ends: a window's last upload may come after the server has gone. */
  readonly atRest?: () => void
}

export async function automatic(server: RealServer, url: string, outcome: Outcome): Promise<void> {
  const { ends, says, atRest } = outcome
  const { id, tokens } = await server.newDocument()
  const options = { url, document: id, token: tokens.editor, insecure: true }
  const writers = ['a', 'b'].map((name) => new OurWriter(name, randomOf(1, name), openDocument(options), 100))
  const stop = new AbortController()
  try {
    for (const writer of writers) writer.start(stop.signal)
    await comesToHold(`every window on ${ends}`, () =>
      writers.every(({ window }) => window.transport?.transport === ends),
    )
    await everybodyGetsOn(writers, 5)
    for (const { window } of writers) {
      const evidence = new Map(window.status.get().evidence.map((one) => [one.transport, one.words]))
      for (const [transport, words] of Object.entries(says))
        expect(evidence.get(transport as NetworkTransport)).toMatch(words)
      expect(window.transport?.transport).toBe(ends)
    }
    stop.abort()
    await comeToRest(writers)
    atRest?.()
    await Promise.all(writers.map((writer) => writer.close()))
    await server.stop()
    checkEverywhere([...writers.map(({ doc }) => doc), await server.stored(id)], writers)
  } catch (error) {
    throw new Error([String(error), ...writers.map(describeWriter)].join('\n'), { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}
