import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startChild } from '../server/fixtures/child-process.ts'
import { UsageError } from '../server/usage-error.ts'
import { readCommandLine, readNumber } from './command-line.ts'

describe('a command line', () => {
  const options = { nodes: { type: 'string', default: '3' }, show: { type: 'boolean' } } as const
  const read = (...args: string[]) => readCommandLine({ usage: 'Usage: …', options, args }).values

  test('is read by its options', () => {
    expect(read('--nodes', '4', '--show')).toEqual({ nodes: '4', show: true })
    expect(read()).toEqual({ nodes: '3' })
  })

  test.each([
    [['--helf'], "Unknown option '--helf'.\nUsage: …"],
    [['--nodes'], "Option '--nodes <value>' argument missing.\nUsage: …"],
    [['--nodes', '--show'], "Option '--nodes' argument is ambiguous.\nUsage: …"],
    [['--show=yes'], "Option '--show' does not take an argument.\nUsage: …"],
    [['four'], "Unexpected argument 'four'.\nUsage: …"],
  ])('%j is refused in one sentence before the usage text', (args, message) => {
    expect(() => read(...args)).toThrow(new UsageError(message))
  })

  test.each(['', 'abc', '-1', '1.5', '1e3', '0', '33'])('"%s" is no number from 1 to 32', (text) => {
    expect(() => readNumber('nodes', text, 1, 32)).toThrow(
      new UsageError(`--nodes is "${text}": allowed is a whole number from 1 to 32.`),
    )
  })

  test.each(['1', '32'])('%s is a number from 1 to 32', (text) => {
    expect(readNumber('nodes', text, 1, 32)).toBe(Number(text))
  })
})

const projectFolder = join(import.meta.dirname, '..')

async function runScript(name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  await using child = startChild(process.execPath, [`scripts/${name}.ts`, ...args], {
    cwd: projectFolder,
    env,
  })
  const { code, stdout, stderr } = await child.ended
  return { code, stdout, stderr }
}

describe.concurrent('a script', () => {
  test.each(['chaos', 'cluster'])('%s answers --help by its usage text', async (name) => {
    const { code, stdout, stderr } = await runScript(name, ['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name} -- `))
  })

  test.each([
    ['chaos', ['kills', 'flops'], 'There is no part "flops".'],
    ['cluster', ['--port', 'abc'], '--port is "abc": allowed is a whole number from 0 to 65535.'],
  ])('%s %j is refused before anything starts', async (name, args, sentence) => {
    const { code, stdout, stderr } = await runScript(name, args)
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([78, '', sentence])
  })

  test('cluster names a port in use in one sentence, before anything starts', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stdout, stderr } = await runScript('cluster', ['--no-pages', '--port', `${port}`])
    other.close()
    const sentence = `--port is "${port}", which another program uses: end that one (npm start, perhaps), or give another port.\n`
    expect([code, stdout, stderr]).toEqual([78, '', sentence])
  })

  test.runIf(process.platform === 'linux')('cluster names a folder that cannot be made', async () => {
    const args = ['--no-pages', '--port', '0', '--https-port', '0', '--folder', '/proc/diptych']
    const { code, stdout, stderr } = await runScript('cluster', args)
    expect([code, stdout]).toEqual([78, ''])
    expect(stderr).toMatch(
      /^--folder is "\/proc\/diptych", which .*: allowed is a folder that you can write\.\n$/,
    )
  })
})
