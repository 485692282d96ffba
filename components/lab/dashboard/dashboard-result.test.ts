import { expect, test } from 'vitest'
import { resultLink, resultInHash } from '../results/result-storage.ts'
import {
  type DashboardResult,
  dashboardResultKind,
  type DashboardDrawing,
  appendDrawing,
} from './dashboard-result.ts'

const drawing: DashboardDrawing = {
  way: 'session',
  transport: 'sse',
  protocol: 'h2',
  up: 'batched posts',
  seed: 7,
  ms: 5_201.4,
  failed: 0,
}
const result: DashboardResult = {
  version: 2,
  at: 1_790_000_000_000,
  browser: 'Firefox on Mac',
  scheme: 'https:',
  drawings: [drawing, { way: 'requests', protocol: 'http/1.1', seed: 1, ms: 28_950, failed: 2 }],
}

test('a shared link carries the drawings unchanged', () => {
  const link = new URL(resultLink(result, 'https://diptych.example/lab/dashboard'))
  expect(link.pathname).toBe('/lab/dashboard')
  expect(resultInHash(link.hash, dashboardResultKind)).toEqual(result)
})

const invalidValues: unknown[] = [
  null,
  [],
  { ...result, version: 3 },
  { ...result, at: -1 },
  { ...result, scheme: 'javascript:' },
  { ...result, drawings: {} },
  { ...result, drawings: [null] },
  { ...result, drawings: Array.from({ length: 101 }, () => drawing) },
  { ...result, drawings: [{ ...drawing, way: 'pigeon' }] },
  { ...result, drawings: [{ ...drawing, protocol: 7 }] },
  { ...result, drawings: [{ ...drawing, seed: 2 ** 31 }] },
  { ...result, drawings: [{ ...drawing, ms: Number.NaN }] },
  { ...result, drawings: [{ ...drawing, ms: 1e9 }] },
  { ...result, drawings: [{ ...drawing, failed: 51 }] },
]
test.each(invalidValues.map((value, index) => [index, value] as const))(
  '[A6] an invalid value makes the whole result invalid: %i',
  (_index, value) => {
    expect(dashboardResultKind.read(value)).toBe(undefined)
  },
)

test('[A6] an unknown transport is dropped', () => {
  const read = dashboardResultKind.read({ ...result, drawings: [{ ...drawing, transport: '<b>' }] })
  expect(read?.drawings[0]).toEqual({
    way: 'session',
    protocol: 'h2',
    up: 'batched posts',
    seed: 7,
    ms: 5_201.4,
    failed: 0,
  })
})

test('repeated drawing keeps the result readable: the oldest drawings are dropped', () => {
  let drawings: readonly DashboardDrawing[] = []
  for (let seed = 0; seed < 120; seed++) drawings = appendDrawing(drawings, { ...drawing, seed })
  expect(drawings.at(-1)?.seed).toBe(119)
  expect(dashboardResultKind.read({ ...result, drawings })?.drawings).toEqual(drawings)
})
