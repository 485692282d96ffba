import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { versionsInstalled, versionWords } from './versions.ts'

test('versions are those that are installed, the benchmarks’ own first', async () => {
  const root = await mkdtemp(join(tmpdir(), 'diptych-versions-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const put = async (folder: string, version: string): Promise<void> => {
    await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, folder, 'package.json'), JSON.stringify({ version }))
  }
  expect(versionsInstalled(root)).toEqual({})
  await put('node_modules/yjs', '13.6.1')
  await put('node_modules/ws', '8.1.0')
  await put('bench/node_modules/ws', '8.2.0')
  await put('bench/node_modules/@hocuspocus/server', '4.7.0')
  expect(versionWords(versionsInstalled(root))).toBe('@hocuspocus/server 4.7.0, ws 8.2.0, yjs 13.6.1')
})
