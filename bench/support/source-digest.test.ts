import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { folderOfTest } from '../fixtures/sample-run.ts'
import { digestSources } from './source-digest.ts'

/** It is no checkout: the digest must work without git. */
let root: string

beforeEach(async () => {
  root = await folderOfTest()
  await put('lib/text.ts', 'text')
  await put('package-lock.json', '{}')
})

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const measured = [
  'lib/text.ts',
  'lib/nobody-added-this-to-git.ts',
  'server/a.ts',
  'app/page.tsx',
  'components/a.tsx',
  'bench/scenarios/a.ts',
  'bench/package-lock.json',
  'e2e/fixtures/a.ts',
  'package-lock.json',
  'package.json',
]
const notMeasured = [
  'README.md',
  'docs/PERFORMANCE.md',
  'lib/text.test.ts',
  'e2e/editor.spec.ts',
  'bench/results/run/run.json',
  'bench/node_modules/ws/index.js',
]

test.each([...measured, ...notMeasured])('the digest changes with %s if it is measured', async (path) => {
  const before = digestSources(root)
  await put(path, 'changed')
  expect(digestSources(root) !== before).toBe(measured.includes(path))
})

test('the digest changes when a text moves from one file to another', async () => {
  await put('lib/other.ts', '')
  const before = digestSources(root)
  await put('lib/text.ts', '')
  await put('lib/other.ts', 'text')
  expect(digestSources(root)).not.toBe(before)
})
