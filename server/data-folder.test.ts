import { once } from 'node:events'
import { expect, test } from 'vitest'
import { SettingError } from './config.ts'
import { lockDataFolder } from './data-folder.ts'
import { startChild, type TestChild } from './fixtures/child-process.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

/** Another process, which locks the folder, keeps no reference to the lock, and has collected its garbage. */
async function lockInOtherProcess(folder: string): Promise<TestChild> {
  const module = new URL('data-folder.ts', import.meta.url).href
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(module)})
    lockDataFolder(process.argv[1])
    setInterval(() => {}, 1000)
    await gc({ execution: 'async' })
    setImmediate(() => {
      gc()
      setImmediate(() => console.log('collected'))
    })
  `
  const args = ['--expose-gc', '--input-type=module', '--eval', script, folder]
  const child = startChild(process.execPath, args)
  await once(child.process.stdout, 'data')
  return child
}

test('a folder belongs to one server: the next one fails with a sentence, until the first releases it', async () => {
  await using folder = await temporaryFolder()
  const unlock = lockDataFolder(folder.path)
  expect(() => lockDataFolder(folder.path)).toThrow(SettingError)
  expect(() => lockDataFolder(folder.path)).toThrow(
    `DATA_DIR is "${folder.path}", which a server uses already: stop that one, or give this one a folder of its own.`,
  )
  unlock()
  unlock()
  lockDataFolder(folder.path)()
})

test('a lock is held without a reference to it, until its process is killed', async () => {
  await using folder = await temporaryFolder()
  await using child = await lockInOtherProcess(folder.path)
  expect(() => lockDataFolder(folder.path)).toThrow('a server uses')
  child.process.kill('SIGKILL')
  await child.ended
  lockDataFolder(folder.path)()
})
