import { expect, test } from 'vitest'
import { madeInfo, madeTold } from '../fixtures/made.ts'
import { withHeadlines } from './readme.ts'

const readme = [
  '# Diptych',
  '',
  '<!-- bench: made by `npm run bench -- readme` -->',
  '',
  'yesterday’s table',
  '',
  '<!-- bench: end -->',
  '',
  'More.',
  '',
].join('\n')

test('the table stands between its marks, with date and machine, and nothing else changes', () => {
  const made = withHeadlines(readme, madeInfo, [madeTold])
  expect(made).not.toContain('yesterday')
  expect(made).toMatch(/^# Diptych\n\n<!-- bench/)
  expect(made).toMatch(/<!-- bench: end -->\n\nMore\.\n$/)
  expect(made).toContain('| Lost edits | 0 |  |  |')
  expect(made).toContain(
    '| Broadcast \\| 60 clients, p50 | 4 ms | Hocuspocus 9 ms | 6 ms (Johannessen 2014) |',
  )
  expect(made).toContain(
    'Measured on 2026-11-21: a machine, 2 cores, 4 GiB, Node v24, commit c0ffee. 1 of 2 aims reached',
  )
})

test('made twice it is the same', () => {
  const once = withHeadlines(readme, madeInfo, [madeTold])
  expect(withHeadlines(once, madeInfo, [madeTold])).toBe(once)
})

test('a README without a place for it is left alone', () => {
  expect(() => withHeadlines('# Diptych\n', madeInfo, [madeTold])).toThrow('has no place')
})
