/** [A6] Readers of versions who read nothing hold a bounded number of bytes, and nobody else waits for them for long. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { nextTurn } from '../rooms/run-steps.ts'
import {
  type Download,
  DownloadRefused,
  DownloadStalled,
  MAX_CHUNKS_A_TURN,
  StateDownloads,
} from './state-downloads.ts'

const MIB = 1024 * 1024
/** A state of this length takes one MiB with what a download costs beside it. */
const STATE_BYTES = MIB - 128 * 1024

const never = new AbortController().signal

let clock: ManualClock
let downloads: StateDownloads

beforeEach(() => {
  clock = new ManualClock()
  downloads = new StateDownloads({ bytes: 4 * MIB, principalBytes: 2 * MIB, clock })
})

/** Records who was admitted, in order. */
function admitAll(principals: readonly string[], bytes = STATE_BYTES) {
  const admitted: Download[] = []
  const refusals: unknown[] = []
  for (const principal of principals)
    downloads.admit(principal, bytes, never).then(
      (download) => admitted.push(download),
      (error: unknown) => refusals.push(error),
    )
  return { admitted, refusals }
}

const namesOf = (admitted: readonly Download[]) => admitted.map(({ principal }) => principal).join(' ')

test('of 100 downloads as many are open as their limits allow, and the next ones follow in turn', async () => {
  const { admitted } = admitAll([...Array.from({ length: 30 }, () => 'ada'), 'bob', 'cy', 'cy'])
  await settle()
  expect(namesOf(admitted)).toBe('ada ada bob cy')
  expect(admitted.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(4 * MIB)
  admitted[2]!.close()
  await settle()
  expect(namesOf(admitted)).toBe('ada ada bob cy cy')
  admitted[0]!.close()
  await settle()
  expect(namesOf(admitted)).toBe('ada ada bob cy cy ada')
})

test('one that is larger than the limit is read alone', async () => {
  const large = await downloads.admit('ada', 9 * MIB, never)
  const { admitted } = admitAll(['bob'])
  await settle()
  expect(admitted).toEqual([])
  large.close()
  await settle()
  expect(namesOf(admitted)).toBe('bob')
})

test('32 of one principal wait; one more is refused, and so is whoever has waited too long', async () => {
  const { admitted, refusals } = admitAll(Array.from({ length: 2 + 32 + 1 }, () => 'ada'))
  await settle()
  expect([admitted.length, downloads.waitingCount, refusals.length]).toEqual([2, 32, 1])
  for (let second = 0; second < 16; second++) {
    for (const download of admitted) download.takenAt = clock.now() // they read
    await clock.pass(1_000)
  }
  expect([downloads.openCount, downloads.waitingCount, refusals.length]).toEqual([2, 0, 33])
  expect(refusals.every((error) => error instanceof DownloadRefused)).toBe(true)
})

test('a client that goes away waits no longer', async () => {
  admitAll(['ada', 'ada'])
  const gone = new AbortController()
  const waiting = downloads.admit('ada', STATE_BYTES, gone.signal)
  gone.abort()
  await expect(waiting).rejects.toThrow(DownloadRefused)
  expect(downloads.waitingCount).toBe(0)
})

test('while others wait, a reader who takes nothing is cut, and one who reads is not', async () => {
  const state = gzipSync(randomBytes(STATE_BYTES))
  const [unread, slow] = [await downloads.admit('ada', 0, never), await downloads.admit('ada', 0, never)]
  const [unreadStream, slowReader] = [unread.send(state, true), slow.send(state, true).getReader()]
  await clock.pass(60_000)
  expect(downloads.openCount).toBe(2) // nobody waits
  const next = downloads.admit('ada', 2 * MIB, never)
  for (let second = 0; second < 6; second++) {
    await slowReader.read()
    await clock.pass(1_000)
  }
  await expect(buffer(unreadStream)).rejects.toThrow(DownloadStalled)
  expect(downloads.openCount).toBe(1)
  while (!(await slowReader.read()).done);
  expect(namesOf([await next])).toBe('ada')
})

test('one that was cut before its stream is asked for ends with an error', async () => {
  const download = await downloads.admit('ada', MIB, never)
  download.cut()
  await expect(buffer(download.send(gzipSync('text'), true))).rejects.toThrow(DownloadStalled)
})

test('both encodings bring the same bytes, and the download ends with the last one', async () => {
  const text = randomBytes(300_000)
  const state = gzipSync(text)
  const stream = async (inflates: boolean) =>
    buffer((await downloads.admit('ada', state.length, never)).send(state, inflates))
  expect((await stream(true)).equals(text)).toBe(true)
  expect(gunzipSync(await stream(false)).equals(text)).toBe(true)
  expect(downloads.openCount).toBe(0)
})

test('nothing is inflated before it is read, and no more than a chunk ahead', async () => {
  const state = gzipSync(Buffer.alloc(20 * MIB))
  const reader = (await downloads.admit('ada', state.length, never)).send(state, true).getReader()
  const { value } = await reader.read()
  expect(value!.length).toBeLessThanOrEqual(64 * 1024)
  await reader.cancel()
  await waitUntil(() => downloads.openCount === 0)
})

test.for([
  ['inflated', true],
  ['as it is stored', false],
] as const)(
  'of 100 readers who take a chunk at once, %s, so many get it in one turn',
  async ([, inflates], { signal }) => {
    const state = gzipSync(randomBytes(300_000))
    const unlimited = new StateDownloads({ bytes: Infinity, principalBytes: Infinity })
    const openReader = async () => (await unlimited.admit('ada', 0, never)).send(state, inflates).getReader()
    const readers = await Promise.all(Array.from({ length: 100 }, openReader))
    await Promise.all(readers.map((reader) => reader.read()))
    let taken = 0
    for (const reader of readers) void reader.read().then(() => (taken += 1))
    let turns = 0
    for (; taken < readers.length && !signal.aborted; turns++) await nextTurn()
    expect(turns).toBeGreaterThanOrEqual(readers.length / MAX_CHUNKS_A_TURN)
    await Promise.all(readers.map((reader) => reader.cancel()))
  },
)

test.each([
  ['a text that is longer than a message once it is inflated', gzipSync(Buffer.alloc(MAX_MESSAGE_BYTES + 1))],
  ['a damaged text', Buffer.from('no gzip')],
])('%s ends with an error, and the download with it', async (_what, state) => {
  const stream = (await downloads.admit('ada', state.length, never)).send(new Uint8Array(state), true)
  await expect(buffer(stream)).rejects.toThrow(/longer than|header/)
  expect(downloads.openCount).toBe(0)
})
