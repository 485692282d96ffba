import { expect, test } from 'vitest'
import { RealServer, ways } from '../../server/fixtures/real-server.ts'
import { TransportError } from '../../lib/transports/transport.ts'
import { randomOf } from './random.ts'
import { checkEverywhere, comeToRest } from './rest.ts'
import { type OurWriter, ourWriters, pause } from './writers.ts'

const SEED = 7
const FLIP_MS = 200
const FLIPS = 20

const flip = ({ window }: OurWriter): Promise<void> =>
  window.switchTransport(window.status.get().choice === 'sse' ? 'websocket' : 'sse')

/** The next flip comes 200 ms after the last, or when that is done on a slow machine. */
async function flipOver(writer: OurWriter): Promise<void> {
  for (let count = 0; count < FLIPS; count++) await Promise.all([flip(writer), pause(FLIP_MS)])
}

/** The next comes whether the last is done or not. Of several at once the last one counts; the others are given up. */
async function flipHastily(writer: OurWriter): Promise<void> {
  for (let count = 0; count < 4 * FLIPS; count++) {
    flip(writer).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error
    })
    await pause(FLIP_MS / 4)
  }
}

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
  const [hasty, ...steady] = writers as [OurWriter, ...OurWriter[]]
  await Promise.all([flipHastily(hasty), ...steady.map(flipOver)])
  stop.abort()
  await comeToRest(writers)
  const stats = writers.map(({ window }) => window.stats())
  expect(stats.map(({ longestGapMs }) => longestGapMs)).toEqual(writers.map(() => 0))
  expect(steady.map(({ window }) => window.stats().switches)).toEqual(steady.map(() => FLIPS))
  await Promise.all(writers.map((writer) => writer.close()))
  await server.stop()
  checkEverywhere([...writers.map(({ doc }) => doc), await server.stored(document.id)], writers)
}, 240_000)
