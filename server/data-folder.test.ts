import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { SettingError } from './config.ts'
import { lockDataFolder } from './data-folder.ts'
import { temporaryFolder } from './fixtures/running.ts'

/** Another process, which has the folder and does nothing else. */
async function holder(folder: string) {
  const module = new URL('data-folder.ts', import.meta.url).href
  const script = `(await import(${JSON.stringify(module)})).lockDataFolder(process.argv[1]); console.log('has it'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('a folder is one server’s: the next is told so in a sentence, until the first lets go', async () => {
  await using folder = await temporaryFolder()
  const unlock = lockDataFolder(folder.path)
  expect(() => lockDataFolder(folder.path)).toThrow(SettingError)
  expect(() => lockDataFolder(folder.path)).toThrow(
    `DATA_DIR is "${folder.path}", where another server keeps its documents: stop that one, or give this one a folder of its own.`,
  )
  unlock()
  unlock()
  lockDataFolder(folder.path)()
})

test('a process that is killed lets go of it', async () => {
  await using folder = await temporaryFolder()
  const child = await holder(folder.path)
  expect(() => lockDataFolder(folder.path)).toThrow('another server')
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDataFolder(folder.path)()
})
