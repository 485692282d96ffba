import { expect, test } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { decideRestart, type RestartDecision, type ServerExit } from './restart-policy.ts'

const crash: ServerExit = { code: null, wasReady: true, uptimeMs: 5_000, crashes: 0 }

test.each<[what: string, end: Partial<ServerExit>, next: RestartDecision]>([
  ['it was asked to end', { code: EXIT.ended }, { exit: 0 }],
  ['a setting is wrong', { code: EXIT.setting, wasReady: false }, { exit: 78 }],
  ['it never started', { code: EXIT.failed, wasReady: false }, { exit: 1 }],
  ['a disk that is full at a restart', { code: EXIT.setting }, { delayMs: 250, crashes: 1 }],
  ['a database that is busy at a restart', { code: EXIT.failed }, { delayMs: 250, crashes: 1 }],
  ['a fault', { code: EXIT.fault }, { delayMs: 250, crashes: 1 }],
  ['a fault at the start', { code: EXIT.fault, wasReady: false }, { delayMs: 250, crashes: 1 }],
  ['a signal', {}, { delayMs: 250, crashes: 1 }],
  ['the second crash in a row', { crashes: 1 }, { delayMs: 500, crashes: 2 }],
  ['the sixth', { crashes: 5 }, { delayMs: 8_000, crashes: 6 }],
  ['the seventh', { crashes: 6 }, { delayMs: 10_000, crashes: 7 }],
  ['the thousandth', { crashes: 2_000 }, { delayMs: 10_000, crashes: 2_001 }],
  ['a crash after a minute', { crashes: 9, uptimeMs: 60_000 }, { delayMs: 250, crashes: 1 }],
])('%s', (_what, end, next) => {
  expect(decideRestart({ ...crash, ...end })).toEqual(next)
})
