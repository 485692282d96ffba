import { expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { Typists } from './typists.ts'

test('each token is counted by its number in every text', async () => {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  const open = () => server.openDocument(document, { transport: 'websocket', scheme: 'http' })
  const windows = [open(), open(), open()]
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
  const typists = new Typists(windows)
  const stop = new AbortController()
  const typing = typists.type(10, stop.signal)
  while (typists.typed < 12) await sleep(5)
  stop.abort()
  await typing
  expect(await typists.arrived(20_000)).toBe(0)
  const { typed } = typists
  expect(typists.journeys()).toHaveLength(2 * typed)
  expect(typists.journeys().every(({ ms, from, to }) => ms > 0 && from !== to)).toBe(true)
  const good = windows[0]!.doc.getText('typed').toJSON()
  expect(typists.check([good])).toEqual({ lost: 0, doubled: 0, disordered: 0 })
  expect(typists.check([good.replace('0.1 ', '')])).toEqual({ lost: 1, doubled: 0, disordered: 0 })
  expect(typists.check([good.replace('0.1 ', '0.1 0.1 ')])).toEqual({ lost: 0, doubled: 1, disordered: 0 })
  const swapped = good.replace('0.1 ', '# ').replace('0.2 ', '0.1 ').replace('# ', '0.2 ')
  expect(typists.check([swapped])).toEqual({ lost: 0, doubled: 0, disordered: 1 })
  await Promise.all(windows.map((window) => window.close()))
})

test('what does not arrive is a figure, not an error', async () => {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  const windows = [1, 2, 3].map(() =>
    server.openDocument(document, { transport: 'websocket', scheme: 'http' }),
  )
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
  const typists = new Typists(windows)
  await windows[2]!.close()
  const stop = new AbortController()
  const typing = typists.type(10, stop.signal)
  while (typists.typed < 12) await sleep(5)
  stop.abort()
  await typing
  expect(await typists.arrived(500)).toBeGreaterThan(0)
  // Its own tokens are in neither of the others, and theirs are not in its text.
  const { lost, doubled } = typists.check([])
  expect(lost).toBeGreaterThan(typists.typed)
  expect(doubled).toBe(0)
  await Promise.all(windows.map((window) => window.close()))
})
