import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOfTest } from '../fixtures/sample-run.ts'
import { versionsInstalled, versionWords } from './versions.ts'

test('versions are those that are installed, the benchmarks’ own first', async () => {
  const root = await folderOfTest()
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
