import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ShownPicture } from './shown-picture.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An image whose address never loads. */
class BrokenImage extends EventTarget {
  loads = 0
  #src: string | null = null

  getAttribute(): string | null {
    return this.#src
  }

  removeAttribute(): void {
    this.#src = null
  }

  set src(address: string) {
    this.#src = address
    this.loads += 1
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }
}

test('a picture that the server has and refuses is loaded again less and less often, and at once by the person', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) =>
    method === 'HEAD'
      ? new Response(null, { status: 429 })
      : Response.json({ files: [{ id: 'cat' }], uploads: [] }),
  )
  const image = new BrokenImage()
  const states: string[] = []
  const file = { file: 'cat', document: 'doc1' }
  const shown = new ShownPicture(image as unknown as HTMLImageElement, file, ({ state }) =>
    states.push(state),
  )
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect(states.at(-1)).toBe('unknown')
  // Two for each attempt: before and after the server said that it has the file.
  expect(image.loads).toBeGreaterThan(10)
  expect(image.loads).toBeLessThan(50)
  const count = image.loads
  shown.retry()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(image.loads).toBeGreaterThan(count + 4)
  shown.destroy()
  expect(vi.getTimerCount()).toBe(0)
})
