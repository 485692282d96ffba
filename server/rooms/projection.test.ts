import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Projection } from './projection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function projected() {
  const written: string[] = []
  const failed: unknown[] = []
  let title = 'One'
  const projection = new Projection({
    title: async () => title,
    write: async (text) => {
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
    rename: (next: string) => {
      title = next
    },
    /** An edit every 100 ms. */
    async typeFor(ms: number) {
      for (let at = 0; at < ms; at += 100) {
        projection.edited()
        await pass(100)
      }
    },
  }
}

test('the first edit is heard of soon, what follows it now and then, and the last one too', async () => {
  const { typeFor, pass, written } = projected()
  await typeFor(400)
  expect(written).toEqual(['One'])
  await typeFor(9_000)
  expect(written).toHaveLength(1)
  await pass(2_000)
  expect(written).toHaveLength(2)
  await pass(60_000)
  expect(written).toHaveLength(2)
})

test('a new title is heard of soon, however lately the list was told', async () => {
  const { typeFor, rename, written } = projected()
  await typeFor(400)
  rename('Two')
  await typeFor(400)
  expect(written).toEqual(['One', 'Two'])
})

test('at the end nothing stays owed, and nothing is told twice', async () => {
  const { projection, written, pass, typeFor } = projected()
  await typeFor(1_000)
  expect(projection.isDue).toBe(true)
  await projection.now()
  expect(written).toHaveLength(2)
  await projection.now()
  await pass(60_000)
  expect(written).toHaveLength(2)
})

test('what could not be written is written at the next edit', async () => {
  const { projection, written, failed, pass, rename } = projected()
  rename('refused')
  projection.edited()
  await pass(300)
  expect([failed.length, written]).toEqual([1, []])
  rename('Two')
  projection.edited()
  await pass(300)
  expect(written).toEqual(['Two'])
})

test('[A7] a title that cannot be read is no more than not written, also where a timer reads it', async () => {
  let title = (): string => {
    throw new Error('broken')
  }
  const [written, failed]: [string[], string[]] = [[], []]
  const projection = new Projection({
    title: async () => title(),
    write: async (text) => void written.push(text),
    onFailed: (error) => void failed.push(String(error)),
  })
  projection.edited()
  await vi.advanceTimersByTimeAsync(300)
  await projection.now()
  expect([written, failed]).toEqual([[], ['Error: broken']])
  title = () => 'Two'
  projection.edited()
  await vi.advanceTimersByTimeAsync(300)
  expect(written).toEqual(['Two'])
})
