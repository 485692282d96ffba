import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { triedMore } from '../vitest.config.ts'

const cwd = join(import.meta.dirname, '..')

test('a file that tries less in `npm test` is run once more by `npm run test:all`, which tries all', () => {
  const asking = globSync('{app,bench,components,e2e,lib,server}/**/*.test.ts', { cwd }).filter((file) =>
    readFileSync(join(cwd, file), 'utf8').includes("/fixtures/runs.ts'"),
  )
  expect(asking.toSorted()).toEqual(globSync(triedMore, { cwd }).toSorted())
})
