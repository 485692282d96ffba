import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DocumentTitles } from './document-titles.ts'

const page = new EventTarget()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Titles of a server that lets this person open all documents but the hidden one. */
function openTitles() {
  const asked: (readonly string[])[] = []
  const server = { isDown: false, title: 'Plan' }
  const titles = new DocumentTitles((ids) => {
    asked.push(ids)
    if (server.isDown) return Promise.reject(new Error('unreachable'))
    return Promise.resolve(ids.filter((id) => id !== 'hidden').map((id) => ({ id, title: server.title })))
  })
  /** As views do: each change is a reason to read again. */
  const show = (...ids: readonly string[]) => titles.subscribe(() => ids.forEach(titles.titleOf, titles))
  return { titles, asked, server, show }
}

test('documents shown at once are asked for at once, and one that may not be opened has no title', async () => {
  const { titles, asked } = openTitles()
  expect(['a', 'hidden', 'a'].map((id) => titles.titleOf(id))).toEqual([undefined, undefined, undefined])
  await vi.runAllTimersAsync()
  expect(asked).toEqual([['a', 'hidden']])
  expect(['a', 'hidden'].map((id) => titles.titleOf(id))).toEqual(['Plan', undefined])
})

test('[A6] of any number of mentioned documents 500 are asked for, 50 at a time', async () => {
  const { titles, asked } = openTitles()
  for (let n = 0; n < 2_000; n++) titles.titleOf(`${n}`)
  await vi.runAllTimersAsync()
  expect(asked.map((ids) => ids.length)).toEqual(Array(10).fill(50))
})

test('they are asked for again when the network is back, and a title that is lost is forgotten', async () => {
  const { titles, asked, server, show } = openTitles()
  server.isDown = true
  const stop = show('a')
  titles.titleOf('a')
  await vi.runAllTimersAsync()
  expect(titles.titleOf('a')).toBeUndefined()
  server.isDown = false
  page.dispatchEvent(new Event('online'))
  await vi.runAllTimersAsync()
  expect(titles.titleOf('a')).toBe('Plan')
  server.title = 'Plan 2'
  page.dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(31_000)
  expect(titles.titleOf('a')).toBe('Plan')
  page.dispatchEvent(new Event('focus'))
  await vi.runAllTimersAsync()
  expect(titles.titleOf('a')).toBe('Plan 2')
  expect(asked).toHaveLength(3)
  stop()
})
