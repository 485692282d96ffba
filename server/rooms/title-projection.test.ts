import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TitleProjection } from './title-projection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openProjection() {
  const written: string[] = []
  const failed: unknown[] = []
  let title = 'One'
  const projection = new TitleProjection({
    readTitle: async () => title,
    writeTitle: async (text) => {
      if (text === 'refused') throw new Error('disk full')
      written.push(text)
    },
    onFailed: (error) => void failed.push(error),
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return {
    projection,
    written,
    failed,
    pass,
    setTitle: (next: string) => {
      title = next
    },
    /** An edit every 100 ms. */
    async typeFor(ms: number) {
      for (let at = 0; at < ms; at += 100) {
        projection.schedule()
        await pass(100)
      }
    },
  }
}

test('the first edit is written soon, later ones now and then, and the last one too', async () => {
  const { typeFor, pass, written } = openProjection()
  await typeFor(400)
  expect(written).toEqual(['One'])
  await typeFor(9_000)
  expect(written).toHaveLength(1)
  await pass(2_000)
  expect(written).toHaveLength(2)
  await pass(60_000)
  expect(written).toHaveLength(2)
})

test('a new title is written soon, however recent the last write is', async () => {
  const { typeFor, setTitle, written } = openProjection()
  await typeFor(400)
  setTitle('Two')
  await typeFor(400)
  expect(written).toEqual(['One', 'Two'])
})

test('flush writes what is left, and nothing is written twice', async () => {
  const { projection, written, pass, typeFor } = openProjection()
  await typeFor(1_000)
  expect(projection.isDue).toBe(true)
  await projection.flush()
  expect(written).toHaveLength(2)
  await projection.flush()
  await pass(60_000)
  expect(written).toHaveLength(2)
})

test('a title whose write failed is written at the next edit', async () => {
  const { projection, written, failed, pass, setTitle } = openProjection()
  setTitle('refused')
  projection.schedule()
  await pass(300)
  expect([failed.length, written]).toEqual([1, []])
  setTitle('Two')
  projection.schedule()
  await pass(300)
  expect(written).toEqual(['Two'])
})

test('[A7] a title that cannot be read is only not written, also if a timer reads it', async () => {
  let title = (): string => {
    throw new Error('broken')
  }
  const [written, failed]: [string[], string[]] = [[], []]
  const projection = new TitleProjection({
    readTitle: async () => title(),
    writeTitle: async (text) => void written.push(text),
    onFailed: (error) => void failed.push(String(error)),
  })
  projection.schedule()
  await vi.advanceTimersByTimeAsync(300)
  await projection.flush()
  expect([written, failed]).toEqual([[], ['Error: broken']])
  title = () => 'Two'
  projection.schedule()
  await vi.advanceTimersByTimeAsync(300)
  expect(written).toEqual(['Two'])
})
