import { expect, test } from 'vitest'
import { networkTransports } from '../../../lib/transports/descriptors.ts'
import { keystrokesResultKind, type KeystrokesResult } from '../keystrokes/keystrokes-result.ts'
import { storeResults, readStoredResults, resultLink, resultInHash } from './result-storage.ts'

const spread = { count: 50, p50: 1.5, p95: 3, p99: 4, max: 9.25 }
const result: KeystrokesResult = {
  version: 2,
  at: 1_790_000_000_000,
  browser: 'Chrome on Linux – “here”',
  scheme: 'https:',
  edits: 50,
  intervalMs: 100,
  lanes: [
    {
      transport: 'websocket',
      protocol: 'h2',
      up: 'frames',
      simulated: true,
      acknowledged: spread,
      saved: spread,
      windows: [
        {
          name: 'Lab – 文書',
          device: 'Firefox on Mac',
          sameBrowser: false,
          boundMs: 2,
          applied: spread,
          painted: spread,
          hidden: 0,
        },
      ],
    },
    {
      transport: 'poll',
      protocol: '',
      acknowledged: spread,
      saved: spread,
      windows: [],
      problem: 'it did not come up',
    },
  ],
}

test('a shared link carries the result unchanged', () => {
  const link = new URL(resultLink(result, 'https://diptych.example/lab'))
  expect(link.pathname).toBe('/lab')
  expect(resultInHash(link.hash, keystrokesResultKind)).toEqual(result)
})

test('a result of the first version, which did not record whether the network was simulated, is still readable', () => {
  const { up: _up, simulated: _simulated, ...lane } = result.lanes[0]!
  const old = { ...result, version: 1, lanes: [lane] }
  expect(keystrokesResultKind.read(old)).toEqual(old)
  const invalidValues = { ...old, lanes: [{ ...lane, up: 'pigeon', simulated: 'perhaps' }] }
  expect(keystrokesResultKind.read(invalidValues)).toEqual(old)
})

test.each([
  ['', undefined],
  ['#place=x', undefined],
  ['#result=', null],
  ['#result=%%%', null],
  [`#result=${btoa('not JSON')}`, null],
  [`#result=${btoa('{"version":1}')}`, null],
  [`#result=${'A'.repeat(70_000)}`, null],
])('[A6] the address %.40s: %s', (hash, expected) => {
  expect(resultInHash(hash, keystrokesResultKind)).toEqual(expected)
})

const invalidValues: unknown[] = [
  null,
  [],
  { ...result, version: 3 },
  { ...result, at: 'now' },
  { ...result, browser: 'x'.repeat(1_000) },
  { ...result, scheme: 'javascript:' },
  { ...result, edits: -1 },
  { ...result, intervalMs: Number.NaN },
  { ...result, lanes: {} },
  { ...result, lanes: Array.from({ length: networkTransports.length + 1 }, () => result.lanes[0]) },
  { ...result, lanes: [{ ...result.lanes[0], transport: 'pigeon' }] },
  { ...result, lanes: [{ ...result.lanes[0], saved: { ...spread, p50: '1' } }] },
  {
    ...result,
    lanes: [{ ...result.lanes[0], windows: Array.from({ length: 51 }, () => result.lanes[0]!.windows[0]) }],
  },
  {
    ...result,
    lanes: [{ ...result.lanes[0], windows: [{ ...result.lanes[0]!.windows[0], name: { toString: 'x' } }] }],
  },
]
test.each(invalidValues.map((value, index) => [index, value] as const))(
  '[A6] an invalid value makes the whole result invalid: %i',
  (_index, value) => {
    expect(keystrokesResultKind.read(value)).toBe(undefined)
  },
)

test('this device stores the newest results, whatever else was written there', () => {
  const storedItems = new Map<string, string>()
  const storage = {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, text: string) => void storedItems.set(key, text),
  }
  expect(readStoredResults(keystrokesResultKind, () => storage)).toEqual([])
  expect(
    storeResults(
      keystrokesResultKind,
      Array.from({ length: 25 }, (_, at) => ({ ...result, at })),
      () => storage,
    ),
  ).toBe(true)
  expect(readStoredResults(keystrokesResultKind, () => storage).length).toBe(20)
  for (const key of storedItems.keys()) storedItems.set(key, JSON.stringify([{ nonsense: true }, result]))
  expect(readStoredResults(keystrokesResultKind, () => storage)).toEqual([result])
  for (const key of storedItems.keys()) storedItems.set(key, 'nonsense')
  expect(readStoredResults(keystrokesResultKind, () => storage)).toEqual([])
  const forbiddenStorage = (): never => {
    throw new DOMException('No.', 'SecurityError')
  }
  expect([
    readStoredResults(keystrokesResultKind, forbiddenStorage),
    storeResults(keystrokesResultKind, [result], forbiddenStorage),
  ]).toEqual([[], false])
})
