import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocks } from './blocks.ts'

test('the suite of blocks runs over each of the list', () => {
  const folders = readdirSync(import.meta.dirname)
  const files = folders
    .map((folder) => join(import.meta.dirname, folder, `${folder}.test.ts`))
    .filter((file) => existsSync(file))
  const tested = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^describeBlock\((\w+)/gm)])
  expect(tested).toHaveLength(blocks.length)
})
