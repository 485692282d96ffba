import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocks, marks } from './blocks.ts'

test('the suites of blocks and marks run over each of the lists', () => {
  const folders = readdirSync(import.meta.dirname)
  const files = folders
    .map((folder) => join(import.meta.dirname, folder, `${folder}.test.ts`))
    .filter((file) => existsSync(file))
  const sources = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const countOf = (suite: string): number => sources.split(`\n${suite}(`).length - 1
  expect(countOf('describeBlock')).toBe(blocks.length)
  expect(countOf('describeMark')).toBe(marks.length)
})
