import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CHART_COUNT, FIGURE_REQUEST, longestFigureWaitMs, figureWaitMs } from '../../lib/protocol/lab.ts'
import type { Principal } from '../access/principal.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { RequestRefusal } from '../sessions/session-request-handler.ts'
import { createFigureSource } from './figure-source.ts'
import { gauges } from './gauges.ts'
import { createLabResponder, createLab, type Lab, LabBusy } from './lab.ts'

const ada: Principal = { id: 'user:ada', name: 'Ada', kind: 'guest' } as unknown as Principal
const bob: Principal = { ...ada, id: 'user:bob' }
const never = new AbortController().signal

let lab: Lab
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const measured = {
    counts: new ServerCounts(),
    sessions: () => new Map([['sse', 3] as const]),
    links: () => new Map([['sse', 2]]),
    rooms: () => ({ open: 1, queued: 0, memoryBytes: 0 }),
  }
  lab = createLab(createFigureSource({ ...measured, waitingCount: () => lab.waitingCount }))
})
afterEach(() => vi.useRealTimers())

test('there is a figure for each chart, with its own name', () => {
  expect(gauges.length).toBe(CHART_COUNT)
  expect(new Set(gauges.map(({ name }) => name)).size).toBe(CHART_COUNT)
})

test('the seed decides how long an answer waits: 1 to 5 s, the same each time, and another seed another', () => {
  const waits = (seed: number) => gauges.map((_, chart) => figureWaitMs({ chart, seed }))
  for (const seed of [0, 1, 7, 2 ** 31 - 1]) {
    expect(Math.min(...waits(seed))).toBeGreaterThanOrEqual(1_000)
    expect(Math.max(...waits(seed))).toBeLessThanOrEqual(5_000)
    expect(longestFigureWaitMs(seed)).toBe(Math.max(...waits(seed)))
    expect(new Set(waits(seed)).size).toBeGreaterThan(CHART_COUNT / 2)
  }
  expect(waits(1)).toEqual(waits(1))
  expect(waits(1)).not.toEqual(waits(2))
})

test('a figure is answered after its wait, with what was measured meanwhile', async () => {
  const request = { chart: gauges.findIndex(({ name }) => name === 'Links, Server-sent events'), seed: 5 }
  let figure: unknown
  void lab.requestFigure(request, ada, never).then((one) => (figure = one))
  await vi.advanceTimersByTimeAsync(figureWaitMs(request) - 1)
  expect([figure, lab.waitingCount]).toEqual([undefined, 1])
  await vi.advanceTimersByTimeAsync(1)
  expect(figure).toMatchObject({
    chart: request.chart,
    name: 'Links, Server-sent events',
    unit: 'count',
    waitedMs: figureWaitMs(request),
  })
  const { values } = figure as { values: number[] }
  expect(values.length).toBeGreaterThan(9)
  expect(new Set(values)).toEqual(new Set([2]))
  expect(lab.waitingCount).toBe(0)
})

test('every gauge reads a number', async () => {
  const figures = gauges.map((_, chart) => lab.requestFigure({ chart, seed: 1 }, ada, never))
  await vi.advanceTimersByTimeAsync(5_000)
  for (const { values } of await Promise.all(figures)) {
    expect(values.length).toBeGreaterThan(0)
    expect(values.every((value) => Number.isFinite(value))).toBe(true)
  }
})

test('LAB=off: within a session a request is refused with that reason, and one of another method is unknown', async () => {
  const respond = (method: string) =>
    createLabResponder(null)({
      method,
      parameters: new TextEncoder().encode('{}'),
      principal: ada,
      signal: never,
    })
  await expect(respond(FIGURE_REQUEST)).rejects.toMatchObject({
    reason: { code: 'not-offered', detail: 'LAB=off' },
  })
  expect(await respond('the weather')).toBe(null)
})

test('nothing is measured without requests', async () => {
  void lab.requestFigure({ chart: 0, seed: 1 }, ada, never)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('a dashboard’s repeated requests share one measurement, which covers the last 6 s', async () => {
  for (let second = 0; second < 40; second += 4) {
    void lab.requestFigure({ chart: 0, seed: second }, ada, never)
    void lab.requestFigure({ chart: 1, seed: second }, ada, never)
    await vi.advanceTimersByTimeAsync(4_000)
  }
  await vi.advanceTimersByTimeAsync(5_000)
  expect([lab.waitingCount, vi.getTimerCount()]).toEqual([0, 1])
  const request = { chart: 0, seed: 77 }
  const answer = lab.requestFigure(request, ada, never)
  await vi.advanceTimersByTimeAsync(5_000)
  const { values } = await answer
  expect(values.length).toBe(60)
  const before = values.at(-1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([values.length, values.at(-1)]).toEqual([60, before])
})

test('after a pause measuring restarts: a figure has no earlier values', async () => {
  void lab.requestFigure({ chart: 0, seed: 1 }, ada, never)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(vi.getTimerCount()).toBe(0)
  const request = { chart: 0, seed: 2 }
  const answer = lab.requestFigure(request, ada, never)
  await vi.advanceTimersByTimeAsync(figureWaitMs(request))
  expect((await answer).values.length).toBeLessThanOrEqual(figureWaitMs(request) / 100 + 1)
})

test('an answer leaves no listener behind, and an aborted one no timer', async () => {
  const abortController = new AbortController()
  const answer = lab.requestFigure({ chart: 0, seed: 1 }, ada, abortController.signal)
  expect(getEventListeners(abortController.signal, 'abort').length).toBe(1)
  await vi.advanceTimersByTimeAsync(5_000)
  await answer
  expect(getEventListeners(abortController.signal, 'abort').length).toBe(0)
  const before = vi.getTimerCount()
  const next = lab.requestFigure({ chart: 0, seed: 1 }, ada, abortController.signal).catch(() => 'given up')
  abortController.abort()
  expect(await next).toBe('given up')
  expect(vi.getTimerCount()).toBe(before)
})

describe('[A6]', () => {
  test('at most so many answers wait for one person, and others are not delayed; an aborted one makes room', async () => {
    const abortController = new AbortController()
    const waiting = Array.from({ length: 150 }, (_, index) =>
      lab.requestFigure({ chart: index % 50, seed: 1 }, ada, abortController.signal).catch(() => 'given up'),
    )
    await expect(lab.requestFigure({ chart: 0, seed: 1 }, ada, never)).rejects.toThrow(LabBusy)
    void lab.requestFigure({ chart: 0, seed: 1 }, bob, never)
    expect(lab.waitingCount).toBe(151)
    abortController.abort()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given up']))
    expect(lab.waitingCount).toBe(1)
    await expect(lab.requestFigure({ chart: 0, seed: 1 }, ada, abortController.signal)).rejects.toThrow()
  })

  const respond = (parameters: unknown, method = FIGURE_REQUEST) =>
    createLabResponder(lab)({
      method,
      parameters: new TextEncoder().encode(
        typeof parameters === 'string' ? parameters : JSON.stringify(parameters),
      ),
      principal: ada,
      signal: never,
    })

  test.each([
    'not JSON',
    {},
    null,
    { chart: 50, seed: 1 },
    { chart: -1, seed: 1 },
    { chart: 1.5, seed: 1 },
    { chart: 1, seed: 2 ** 31 },
    { chart: '1', seed: 1 },
  ])('the request %j is refused', async (parameters) => {
    await expect(respond(parameters)).rejects.toThrow(RequestRefusal)
    expect(lab.waitingCount).toBe(0)
  })

  test('within a session the same is answered, and a request of another method is unknown', async () => {
    const answer = respond({ chart: 3, seed: 9 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(JSON.parse(new TextDecoder().decode((await answer)!))).toMatchObject({
      chart: 3,
      waitedMs: figureWaitMs({ chart: 3, seed: 9 }),
    })
    expect(await respond({ chart: 3, seed: 9 }, 'the weather')).toBe(null)
    const many = Array.from({ length: 150 }, () => lab.requestFigure({ chart: 0, seed: 1 }, ada, never))
    await expect(respond({ chart: 3, seed: 9 })).rejects.toMatchObject({ reason: { code: 'overloaded' } })
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all(many)
  })
})
