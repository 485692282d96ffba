import { expect, test } from 'vitest'
import { linkTo, resultIn } from '../results/sharing.ts'
import { type DashboardResult, dashboards, type Drawn, withDrawn } from './result.ts'

const drawn: Drawn = {
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
  drawings: [drawn, { way: 'requests', protocol: 'http/1.1', seed: 1, ms: 28_950, failed: 2 }],
}

test('a link brings the drawings over as they were', () => {
  const link = new URL(linkTo(result, 'https://diptych.example/lab/dashboard'))
  expect(link.pathname).toBe('/lab/dashboard')
  expect(resultIn(link.hash, dashboards)).toEqual(result)
})

const wrong: unknown[] = [
  null,
  [],
  { ...result, version: 3 },
  { ...result, at: -1 },
  { ...result, scheme: 'javascript:' },
  { ...result, drawings: {} },
  { ...result, drawings: [null] },
  { ...result, drawings: Array.from({ length: 101 }, () => drawn) },
  { ...result, drawings: [{ ...drawn, way: 'pigeon' }] },
  { ...result, drawings: [{ ...drawn, protocol: 7 }] },
  { ...result, drawings: [{ ...drawn, seed: 2 ** 31 }] },
  { ...result, drawings: [{ ...drawn, ms: Number.NaN }] },
  { ...result, drawings: [{ ...drawn, ms: 1e9 }] },
  { ...result, drawings: [{ ...drawn, failed: 51 }] },
]
test.each(wrong.map((value, index) => [index, value] as const))(
  '[A6] what is wrong in it makes it none: %i',
  (_index, value) => {
    expect(dashboards.read(value)).toBe(undefined)
  },
)

test('[A6] a transport that is not known is left out', () => {
  const read = dashboards.read({ ...result, drawings: [{ ...drawn, transport: '<b>' }] })
  expect(read?.drawings[0]).toEqual({
    way: 'session',
    protocol: 'h2',
    up: 'batched posts',
    seed: 7,
    ms: 5_201.4,
    failed: 0,
  })
})

test('what is drawn on and on stays readable: the oldest give way', () => {
  let drawings: readonly Drawn[] = []
  for (let seed = 0; seed < 120; seed++) drawings = withDrawn(drawings, { ...drawn, seed })
  expect(drawings.at(-1)?.seed).toBe(119)
  expect(dashboards.read({ ...result, drawings })?.drawings).toEqual(drawings)
})
