import { expect, test } from 'vitest'
import { sectionOf } from './networks-report.ts'

const resuming = (scheme: 'http' | 'https', down: number) => ({
  measured: 'resuming' as const,
  transport: 'long-poll' as const,
  scheme,
  documentBytes: 20_000,
  up: 1_000,
  down,
  took: 5,
})

test('a cut costs bytes by the transport’s name; without TLS the worst round counts', () => {
  const { tables, aims } = sectionOf([
    resuming('http', 900),
    resuming('http', 1_100),
    resuming('https', 9_000),
  ])
  expect(tables[2]?.rows.map(([name]) => name)).toEqual(['Long polling, without TLS', 'Long polling, TLS'])
  expect(aims).toMatchObject([
    {
      name: 'bytes to take up again after a cut, Long polling without TLS, document of 20 kB',
      measured: 2_100,
      reached: false,
    },
  ])
})

test('what was not measured has no aim', () => {
  expect(sectionOf([resuming('https', 9_000)]).aims).toEqual([])
})
