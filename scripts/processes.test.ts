import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { isAlive, startChild } from '../server/fixtures/child-process.ts'
import { run } from './processes.ts'

test('output and exit code', async () => {
  expect(await run('sh', ['-c', 'echo out; echo err >&2; exit 3'])).toEqual({ code: 3, output: 'out\nerr\n' })
})

test('a command that is not there', async () => {
  const { code, output } = await run('no-such-command', [])
  expect(code).toBe(127)
  expect(output).toContain('no-such-command')
})

test.concurrent.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s leaves no child behind, grandchildren included', async (signal, code) => {
  const program = `
    import { endChildrenOnSignals, run } from ${JSON.stringify(join(import.meta.dirname, 'processes.ts'))}
    endChildrenOnSignals()
    await run('sh', ['-c', 'sleep 600 & echo $!; wait'], { show: true })
  `
  await using parent = startChild(process.execPath, ['--input-type=module', '-e', program])
  const [printed] = (await once(parent.process.stdout, 'data')) as [string]
  const grandchild = Number(printed)
  using _ended = { [Symbol.dispose]: () => void (isAlive(grandchild) && process.kill(grandchild)) }
  expect(isAlive(grandchild)).toBe(true)
  parent.process.kill(signal)
  expect(await parent.ended).toMatchObject({ code, signal: null })
  await vi.waitFor(() => expect(isAlive(grandchild)).toBe(false), { timeout: 10_000 })
})
