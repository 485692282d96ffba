import { expect, test } from 'vitest'
import {
  boundText,
  bytesText,
  earlierText,
  msText,
  percentileText,
  pathsText,
  windowLabel,
} from './latency-text.ts'

test.each([
  [0, '0.0'],
  [9.94, '9.9'],
  [9.96, '10'],
  [1234.5, '1,235'],
])('%d ms is written %s', (ms, text) => expect(msText(ms)).toBe(text))

test('a missing measurement is a dash, never a zero', () => {
  const none = { count: 0, p50: 0, p95: 0, p99: 0, max: 0 }
  expect(percentileText(none, 'p50')).toBe('–')
  expect(percentileText({ ...none, count: 1 }, 'p50')).toBe('0.0')
})

test('bytes', () => {
  expect([12.4, 2048, 3 * 1024 * 1024].map(bytesText)).toEqual(['12 B', '2.0 KiB', '3.0 MiB'])
})

test('paths of edits are listed with their counts', () => {
  expect(pathsText({ browser: 0, server: 0 })).toBe('')
  expect(pathsText({ browser: 3, server: 0 })).toBe('all within the browser')
  expect(pathsText({ browser: 1200, server: 3 })).toBe('1,200 within the browser, 3 by the server')
})

test('[T8] uncounted edits are named by their transport', () => {
  const none = { count: 0, p50: 0, p95: 0, p99: 0, max: 0 }
  const own = { ownPaint: none, sent: none, acknowledged: none, saved: none }
  const sse = { transport: 'sse', protocol: 'h2', up: 'batched posts' } as const
  expect(earlierText([])).toBe('')
  expect(
    earlierText([
      { link: { ...sse, simulated: true }, edits: 120, own },
      { link: sse, edits: 3, own },
    ]),
  ).toBe('120 by SSE, simulated; 3 by SSE')
})

test('[L2] times of another clock show their possible error', () => {
  expect(boundText({ sameBrowser: true, boundMs: 0 })).toBe('')
  expect(boundText({ sameBrowser: false, boundMs: 1.72 })).toBe('± 1.7 ms')
  expect(boundText({ sameBrowser: false })).toBe('clocks not compared yet')
})

test.each([
  [{ name: 'Outline – Plan', device: 'Chrome on Linux', sameBrowser: true }, 'Outline'],
  [{ name: 'Outline – Plan', device: 'Safari on iPad', sameBrowser: false }, 'Outline on Safari on iPad'],
  [{ name: 'Plan – Diptych', device: 'Chrome on Linux', sameBrowser: true }, 'Plan'],
  [{ name: '', person: 'Ada', device: '', sameBrowser: false }, 'Ada'],
  [{ name: '', person: '', device: '', sameBrowser: false }, 'A program'],
])('%j is called %s', (window, name) => expect(windowLabel(window)).toBe(name))
