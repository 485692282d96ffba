/** [F5] The files of blocks that were copied come after them, however many there are and however long that takes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeOverFiles } from './take-over-files.ts'

const MINUTE = 60_000

let network: EventTarget
let requests: string[][]
let answer: (files: string[]) => Response

beforeEach(() => {
  network = new EventTarget()
  requests = []
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    const { files } = JSON.parse(body) as { files: string[] }
    requests.push(files)
    return answer(files)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const unreachable = (): Response => {
  throw new TypeError('no network')
}
const takeAll = (files: string[]): Response => Response.json({ files })
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `file${index}`)

test('files are asked for in groups that the server takes', async () => {
  answer = takeAll
  await takeOverFiles({ from: 'one', to: 'two', files: idsOf(450) })
  expect(requests.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(requests.flat()).toEqual(idsOf(450))
})

test('after half an hour without an answer files are still asked for, and no more once they are there', async () => {
  answer = unreachable
  await takeOverFiles({ from: 'one', to: 'two', files: ['a'] })
  await vi.advanceTimersByTimeAsync(30 * MINUTE)
  expect(requests.length).toBeLessThan(15)
  answer = takeAll
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  const count = requests.length
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  network.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(requests.length).toBe(count)
  expect(vi.getTimerCount()).toBe(0)
})

test('once the network is back files are asked for at once', async () => {
  answer = unreachable
  await takeOverFiles({ from: 'one', to: 'two', files: ['a'] })
  await vi.advanceTimersByTimeAsync(30 * MINUTE)
  const count = requests.length
  answer = takeAll
  network.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(requests.length).toBe(count + 1)
  expect(vi.getTimerCount()).toBe(0)
})

test('an answer of something else than the server is asked for again', async () => {
  answer = () => new Response('<title>Sign in to this Wi-Fi</title>')
  await takeOverFiles({ from: 'one', to: 'two', files: ['a'] })
  answer = takeAll
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(requests).toEqual([['a'], ['a']])
})

test('files of a document that this person may not read are not asked for again', async () => {
  answer = () => new Response(null, { status: 403 })
  await takeOverFiles({ from: 'one', to: 'two', files: ['a'] })
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  expect(requests).toEqual([['a']])
})
