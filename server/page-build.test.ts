import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { computeFingerprint } from './page-build.ts'

test('the fingerprint follows every source of the pages, and nothing else', async () => {
  await using folder = await temporaryFolder()
  const write = async (file: string, text: string) => {
    await mkdir(join(folder.path, file, '..'), { recursive: true })
    await writeFile(join(folder.path, file), text)
  }
  const sources = [
    'package-lock.json',
    'next.config.js',
    'app/d/[id]/page.tsx',
    'components/a.tsx',
    'lib/a.ts',
    'public/a.svg',
  ]
  for (const file of sources) await write(file, '1')
  let last = await computeFingerprint(folder.path)
  expect(await computeFingerprint(folder.path)).toBe(last)

  for (const file of sources) {
    await write(file, '2')
    const next = await computeFingerprint(folder.path)
    expect(next, file).not.toBe(last)
    last = next
  }
  for (const file of ['lib/a.test.ts', 'server/main.ts', 'docs/a.md', 'data/a']) {
    await write(file, '1')
    expect(await computeFingerprint(folder.path), file).toBe(last)
  }
})
