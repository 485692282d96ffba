import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { folderOfTest } from '../fixtures/sample-run.ts'
import { sourceOf } from './source.ts'

/** No checkout: where there is no git it must do, too. */
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
const left = [
  'README.md',
  'docs/PERFORMANCE.md',
  'lib/text.test.ts',
  'e2e/editor.spec.ts',
  'bench/results/run/run.json',
  'bench/node_modules/ws/index.js',
]

test.each([...measured, ...left])('%s is of what is measured, or is not', async (path) => {
  const before = sourceOf(root)
  await put(path, 'changed')
  expect(sourceOf(root) !== before).toBe(measured.includes(path))
})

test('what moves from one file to another is a change', async () => {
  await put('lib/other.ts', '')
  const before = sourceOf(root)
  await put('lib/text.ts', '')
  await put('lib/other.ts', 'text')
  expect(sourceOf(root)).not.toBe(before)
})
