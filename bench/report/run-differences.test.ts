import { expect, test } from 'vitest'
import { reportWith, runWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import { type ComparedRun, runDifferences } from './run-differences.ts'

const sampleRun: ComparedRun = { info: sampleRunInfo, reports: [sampleReport] }

test('runs that are alike have only their commits named', () => {
  expect(runDifferences(sampleRun, sampleRun)).toEqual([expect.stringContaining('Diptych c0ffee → c0ffee')])
})

test('another machine, other releases and other options are named, but no scenario that only one run has', () => {
  const info = runWith(
    { cores: 4, versions: { yjs: '13.7.0' } },
    { scenarios: ['broadcast', 'idle'].map((name) => ({ name, values: { clients: 100 } })) },
  )
  expect(runDifferences(sampleRun, { ...sampleRun, info }).slice(1)).toEqual([
    'Not the same cores: 2 → 4.',
    'Not the same releases: @hocuspocus/server 4.7.0, yjs 13.6.33 → yjs 13.7.0.',
    'Run with other options: broadcast.',
  ])
})

test('a disk that took much longer alone is named', () => {
  const slower = (times: number): ComparedRun => ({
    info: runWith({}, { fsync: [0.2 * times, 0.4 * times] }),
    reports: [reportWith({}, { fsync: [0.3 * times, 0.5 * times] })],
  })
  expect(runDifferences(sampleRun, slower(1.2))).toHaveLength(1)
  expect(runDifferences(sampleRun, slower(3))[1]).toContain('0.30 ms → 0.90 ms at p50')
  expect(runDifferences(slower(3), sampleRun)[1]).toContain('0.90 ms → 0.30 ms at p50')
})

test('trials that were saturated in one of the runs are named', () => {
  const saturated = reportWith({}, { saturated: ['relay, websocket, part many (2 of 3)'] })
  expect(runDifferences(sampleRun, { ...sampleRun, reports: [saturated] })[1]).toBe(
    'SATURATED, broadcast: none → relay, websocket, part many (2 of 3).',
  )
  expect(runDifferences({ ...sampleRun, reports: [saturated] }, sampleRun)).toHaveLength(2)
  expect(runDifferences({ ...sampleRun, reports: [] }, { ...sampleRun, reports: [saturated] })).toHaveLength(
    1,
  )
})
