import { expect, test } from 'vitest'
import type { Surroundings } from '../support/machine.ts'
import type { Stations, Subject } from '../support/subject.ts'
import type { Trial } from '../support/trial.ts'
import { reportOf } from './keystrokes-report.ts'

const at: Surroundings = {
  machine: 'a machine',
  cores: 2,
  memoryGiB: 4,
  system: 'Linux',
  node: 'v24',
  browser: 'Chromium',
  diptych: '0',
  commit: 'c0ffee',
  at: '2026-11-21T00:00:00.000Z',
}

/** Keys whose way from sent to applied takes `applied` ms and whose answer comes after `answered` ms. */
const keys = (applied: number, answered: number): Stations[] =>
  Array.from({ length: 10 }, (_, index) => {
    const key = index * 100
    const sent = key + 1
    return {
      key,
      edited: key + 0.5,
      sent,
      applied: sent + applied,
      rendered: 0,
      painted: 0,
      answered: sent + answered,
    }
  })

const trial = (subject: Subject['name'], round: number, load: number, samples: Stations[]): Trial => {
  return { round, lane: 'sse', subject, load, clockDifference: 0.02, latest: 1, keys: samples }
}

const report = (applied: number, saved: number, load = 0.3) =>
  reportOf({
    values: { lanes: ['sse'] },
    at,
    loadBefore: 0.1,
    frames: { keys: [['AAAA']], answer: 'AA==' },
    fsyncs: [0.2, 0.2],
    pacedFsyncs: [0.5, 0.5],
    trials: [1, 2, 3].flatMap((round) => [
      trial('diptych', round, load, keys(applied, saved)),
      trial('relay', round, load, keys(2, 3)),
    ]),
  }).text

test('an aim is reached or not by its own sum, and says by how much', () => {
  // 1.3 × 2 + 2 × 0.5 = 3.6; whenSaved counts from the edit, 0.5 ms before sent: 3 + 2 × 0.5 + 1 = 5
  expect(report(3.5, 4)).toContain('3.50 ms of 3.60 (1.3 × 2.00 + 2 × 0.50): reached')
  expect(report(3.7, 4)).toContain('3.70 ms of 3.60 (1.3 × 2.00 + 2 × 0.50): NOT reached, by 0.10 ms')
  expect(report(3.5, 4)).toContain('4.50 ms of 5.00 (round trip 3.00 + 2 × 0.50 + 1): reached')
  expect(report(3.5, 21)).toContain('21.50 ms of 20.00 (fixed): NOT reached, by 1.50 ms')
})

test('a saturated machine marks its result', () => {
  expect(report(3, 4)).not.toContain('SATURATED')
  expect(report(3, 4, 0.9)).toContain('SATURATED: 6 of 6 trials')
})
