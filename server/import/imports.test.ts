/** [A6] Files on their way cannot hold the places of others by coming slowly. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { importStrings } from '../../lib/strings/import.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { BODY_TIMEOUT_MS, MIN_BODY_BYTES } from '../listener-limits.ts'
import { Imports, TooManyImports } from './imports.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

let [clock, imports] = [new ManualClock(), new Imports('')]
beforeEach(() => {
  clock = new ManualClock()
  imports = new Imports(folder.path, clock)
})

/** A body whose bytes the test sends. */
function sendSlowly(principal: string) {
  const body = new Readable({ read() {} })
  const received = imports.receive({ principal, body, limitBytes: Infinity }, async (_path, bytes) => bytes)
  const outcome = received.catch((error: Error) => error)
  const send = async (bytes: number): Promise<void> => {
    body.push(Buffer.alloc(bytes))
    await waitUntil(() => body.readableLength === 0, 'the bytes to be taken')
    await settle(2)
  }
  return { body, outcome, send }
}

test('a body that trickles for ever is cut', async () => {
  const { outcome, send } = sendSlowly('eve')
  for (let second = 0; second < 30; second++) {
    await send(1)
    await clock.pass(1_000)
  }
  expect(await outcome).toMatchObject({ message: importStrings.refused.tooSlow })
})

test('a body of the least rate arrives, however long it takes', async () => {
  const { body, outcome, send } = sendSlowly('ada')
  for (let minute = 0; minute < 5; minute++) {
    await send(MIN_BODY_BYTES)
    await clock.pass(BODY_TIMEOUT_MS)
  }
  body.push(null)
  expect(await outcome).toBe(5 * MIN_BODY_BYTES)
})

test('where all places are taken, the slowest of those that had their time gives its place up', async () => {
  const slow = Array.from({ length: 40 }, (_, at) => sendSlowly(`eve ${at % 10}`))
  await expect(sendSlowly('ada').outcome).resolves.toBeInstanceOf(TooManyImports)
  for (const [at, { send }] of slow.entries()) await send(at === 7 ? MIN_BODY_BYTES : 2 * MIN_BODY_BYTES)
  await clock.pass(BODY_TIMEOUT_MS)
  const { body, outcome } = sendSlowly('ada')
  body.push('# Plan')
  body.push(null)
  expect(await outcome).toBe(6)
  expect(await slow[7]!.outcome).toMatchObject({ message: importStrings.refused.tooSlow })
  for (const each of slow) each.body.push(null)
  const arrived = (await Promise.all(slow.map((each) => each.outcome))).filter(Number.isFinite)
  expect(arrived).toHaveLength(39)
})
