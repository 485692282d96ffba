import { expect, test } from 'vitest'
import { reportWith, runWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import { type ComparedRun, unlike } from './unlike.ts'

const made: ComparedRun = { info: sampleRunInfo, reports: [sampleReport] }

test('two runs that are alike have nothing against them', () => {
  expect(unlike(made, made)).toEqual([expect.stringContaining('Diptych c0ffee → c0ffee')])
})

test('another machine, other releases and other options are said, but not of what only one of them has', () => {
  const info = runWith(
    { cores: 4, versions: { yjs: '13.7.0' } },
    { scenarios: ['broadcast', 'idle'].map((name) => ({ name, values: { clients: 100 } })) },
  )
  expect(unlike(made, { ...made, info }).slice(1)).toEqual([
    'Not the same cores: 2 → 4.',
    'Not the same releases: @hocuspocus/server 4.7.0, yjs 13.6.33 → yjs 13.7.0.',
    'Run with other options: broadcast.',
  ])
})

test('a disk that took much longer by itself is said', () => {
  const slower = (times: number): ComparedRun => ({
    info: runWith({}, { fsync: [0.2 * times, 0.4 * times] }),
    reports: [reportWith({}, { fsync: [0.3 * times, 0.5 * times] })],
  })
  expect(unlike(made, slower(1.2))).toHaveLength(1)
  expect(unlike(made, slower(3))[1]).toContain('0.30 ms → 0.90 ms at p50')
  expect(unlike(slower(3), made)[1]).toContain('0.90 ms → 0.30 ms at p50')
})

test('what was saturated in either of them is named', () => {
  const saturated = reportWith({}, { saturated: ['relay, websocket, part many (2 of 3)'] })
  expect(unlike(made, { ...made, reports: [saturated] })[1]).toBe(
    'SATURATED, broadcast: none → relay, websocket, part many (2 of 3).',
  )
  expect(unlike({ ...made, reports: [saturated] }, made)).toHaveLength(2)
  expect(unlike({ ...made, reports: [] }, { ...made, reports: [saturated] })).toHaveLength(1)
})
