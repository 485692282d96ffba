import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { readableLogLine } from './log-line.ts'

function loggedLine(write: (log: ReturnType<typeof createLogger>) => void): string {
  let written = ''
  write(createLogger({ logLevel: 'trace' }, { write: (line) => void (written += line) }))
  return readableLogLine(written)
}

test('a line for a terminal has time, level, message and fields', () => {
  expect(loggedLine((log) => log.warn({ document: 'abc', edits: 3 }, 'store did not commit'))).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3}  WARN   store did not commit  document=abc  edits=3\n$/,
  )
})

test('an error has its stack below, indented', () => {
  const line = loggedLine((log) => log.error({ err: new Error('disk full') }, 'a request failed'))
  expect(line).toMatch(/ERROR  a request failed\n  Error: disk full\n {6}at /)
  expect(line.endsWith('\n')).toBe(true)
})
