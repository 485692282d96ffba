import { expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { Typists } from './typists.ts'

/** Lets three windows type a dozen tokens. */
async function typeDozen(prepare: (windows: readonly OpenDocument[]) => Promise<void> = async () => {}) {
  const server = await RealServer.start()
  const document = await server.createDocument()
  const windows = [1, 2, 3].map(() =>
    server.openDocument(document, { transport: 'websocket', scheme: 'http' }),
  )
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
  const typists = new Typists(windows)
  await prepare(windows)
  const stop = new AbortController()
  const typing = typists.type(10, stop.signal)
  while (typists.typed < 12) await sleep(5)
  stop.abort()
  await typing
  const close = async (): Promise<void> => {
    await Promise.all(windows.map((window) => window.close()))
    await server[Symbol.asyncDispose]()
  }
  return { typists, windows, [Symbol.asyncDispose]: close }
}

test('each token is counted by its number in every text', async () => {
  await using typed = await typeDozen()
  const { typists, windows } = typed
  expect(await typists.waitForArrivals(20_000)).toBe(0)
  expect(typists.journeys()).toHaveLength(2 * typists.typed)
  expect(typists.journeys().every(({ ms, from, to }) => ms > 0 && from !== to)).toBe(true)
  const good = windows[0]!.doc.getText('typed').toJSON()
  expect(typists.check([good])).toEqual({ lost: 0, doubled: 0, disordered: 0 })
  expect(typists.check([good.replace('0.1 ', '')])).toEqual({ lost: 1, doubled: 0, disordered: 0 })
  expect(typists.check([good.replace('0.1 ', '0.1 0.1 ')])).toEqual({ lost: 0, doubled: 1, disordered: 0 })
  const swapped = good.replace('0.1 ', '# ').replace('0.2 ', '0.1 ').replace('# ', '0.2 ')
  expect(typists.check([swapped])).toEqual({ lost: 0, doubled: 0, disordered: 1 })
})

test('a token that does not arrive is counted, and is no error', async () => {
  await using typed = await typeDozen((windows) => windows[2]!.close())
  const { typists } = typed
  expect(await typists.waitForArrivals(500)).toBeGreaterThan(0)
  // The closed window's tokens are in neither of the others, and theirs are not in its text.
  const { lost, doubled } = typists.check([])
  expect(lost).toBeGreaterThan(typists.typed)
  expect(doubled).toBe(0)
})
