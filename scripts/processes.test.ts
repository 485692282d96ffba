import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { isAlive, startChild } from '../server/fixtures/child-process.ts'
import { run } from './processes.ts'

test('a command returns its output and exit code', async () => {
  expect(await run('sh', ['-c', 'echo out; echo err >&2; exit 3'])).toEqual({ code: 3, output: 'out\nerr\n' })
})

test('a missing command fails', async () => {
  const { code, output } = await run('no-such-command', [])
  expect(code).toBe(127)
  expect(output).toContain('no-such-command')
})

test('processes that a command leaves behind end with it, though they hold the output open', async () => {
  const { code, output } = await run('sh', ['-c', 'sleep 600 & echo $!; exit 3'])
  expect(code).toBe(3)
  await expect.poll(() => isAlive(Number(output))).toBe(false)
})

test('a command that prints nothing for too long is ended with its children, and its last line is reported', async () => {
  const script = 'echo at work; sleep 600 & echo $!; wait'
  const { code, output, silentAfter } = await run('sh', ['-c', script], { silenceMs: 2_000 })
  const grandchild = output.split('\n')[1]
  expect(code).not.toBe(0)
  expect(silentAfter).toBe(grandchild)
  await expect.poll(() => isAlive(Number(grandchild))).toBe(false)
})

test('a command that prints again and again is not ended', async () => {
  const script = 'for n in $(seq 30); do echo $n; sleep 0.1; done'
  const finished = await run('sh', ['-c', script], { silenceMs: 2_000 })
  expect(finished).toEqual({ code: 0, output: expect.stringMatching(/29\n30\n$/) as string })
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
