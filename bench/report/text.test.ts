import { expect, test } from 'vitest'
import { reportWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import { machineText, textOf } from './text.ts'

test('the terminal says where it was measured, and with which releases', () => {
  expect(machineText(sampleRunInfo)).toBe(
    'a machine, 2 cores, 4 GiB, Linux\nDiptych 0.1.0, c0ffee; Node v24, Chromium\n@hocuspocus/server 4.7.0, yjs 13.6.33',
  )
})

test('each missed aim has words behind it', () => {
  const [, missed] = sampleReport.section.aims
  const textWith = (reason: string) =>
    textOf('broadcast', reportWith({ aims: [{ ...missed!, reason }] }).section)
  expect(textWith('Two cores.')).toContain('18 of at most 16 ms: MISSED: Two cores.')
  expect(textWith('')).toContain('18 of at most 16 ms: MISSED: The reason is not known yet.')
})
