import { expect, test } from 'vitest'
import { RealServer, ways } from '../../server/fixtures/real-server.ts'
import { TransportError } from '../../lib/transports/transport.ts'
import { checkEverywhere, comesToHold, within } from './kills.ts'
import { equal } from './oracle.ts'
import { randomOf } from './random.ts'
import { type OurWriter, ourWriters, pause } from './writers.ts'

const SEED = 7
const FLIP_MS = 200
const FLIPS = 20

/** Of several switches at once the last one counts; the others are given up. */
const flip = ({ window }: OurWriter): Promise<void> =>
  window
    .switchTransport(window.status.get().choice === 'sse' ? 'websocket' : 'sse')
    .catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error
    })

test('[S4] transports flipped every 200 ms under five writers: nothing lost, nothing doubled, never a moment without a link', async () => {
  await using server = await RealServer.start()
  const document = await server.newDocument()
  const origins = { http: server.origin('http'), https: server.origin('https') }
  const writers = ourWriters(origins, document, (name) => randomOf(SEED, name), [
    ...ways,
    ...ways.slice(0, 1),
  ])
  const stop = new AbortController()
  await Promise.all(writers.map((writer) => writer.ready()))
  for (const writer of writers) writer.start(stop.signal)
  const flips: Promise<void>[] = []
  for (let count = 0; count < FLIPS; count++) {
    flips.push(...writers.map(flip))
    await pause(FLIP_MS)
  }
  stop.abort()
  await Promise.all([...flips, ...writers.map((writer) => writer.stopped())])
  await within('acknowledgement of everything', Promise.all(writers.map((writer) => writer.acknowledge())))
  await comesToHold('equality of all replicas', () => writers.every(({ doc }) => equal(doc, writers[0]!.doc)))
  const stats = writers.map(({ window }) => window.stats())
  expect(stats.map(({ longestGapMs }) => longestGapMs)).toEqual(writers.map(() => 0))
  for (const { switches } of stats) expect(switches).toBeGreaterThan(2)
  await Promise.all(writers.map((writer) => writer.close()))
  await server.stop()
  checkEverywhere([...writers.map(({ doc }) => doc), await server.stored(document.id)], writers)
}, 240_000)
