/** Runs the program with a PATH of its own, on which each program only records that it was called. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startChild } from '../server/fixtures/child-process.ts'
import { temporaryFolder } from '../server/fixtures/temporary-folder.ts'

const recordedPrograms = ['certutil', 'cp', 'rm', 'sudo', 'update-ca-certificates']

async function runTrust(folder: string, ...args: string[]) {
  const programs = join(folder, 'programs')
  const calls = join(folder, 'calls')
  if (!existsSync(programs)) {
    await mkdir(programs)
    await mkdir(join(folder, '.pki/nssdb'), { recursive: true })
    await symlink('/bin/sh', join(programs, 'sh'))
    for (const name of recordedPrograms)
      await writeFile(join(programs, name), `#!/bin/sh\necho "${name} $*" >> "${calls}"\n`, { mode: 0o755 })
  }
  await writeFile(calls, '')
  await using child = startChild(process.execPath, ['scripts/trust.ts', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { NODE_ENV: 'production', PATH: programs, HOME: folder, DATA_DIR: join(folder, 'data') },
  })
  const { code, stdout, stderr } = await child.ended
  const called = (await readFile(calls, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.trimEnd())
  return { code, stdout, stderr, called }
}

describe.runIf(process.platform === 'linux').concurrent('npm run trust', () => {
  test('installs the authority, and --remove undoes it', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'data/tls/authority.pem')
    const sudo = process.getuid?.() === 0 ? '' : 'sudo '
    const database = `-d sql:${folder.path}/.pki/nssdb`
    expect((await runTrust(folder.path)).called).toEqual([
      `${sudo}cp ${file} /usr/local/share/ca-certificates/diptych.crt`,
      `${sudo}update-ca-certificates`,
      `certutil ${database} -A -t C,, -n diptych-local-authority -i ${file}`,
    ])
    expect(existsSync(file)).toBe(true)
    expect((await runTrust(folder.path, '--remove')).called).toEqual([
      `certutil ${database} -L -n diptych-local-authority`,
      `${sudo}rm -f /usr/local/share/ca-certificates/diptych.crt`,
      `${sudo}update-ca-certificates`,
      `certutil ${database} -D -n diptych-local-authority`,
    ])
    expect(existsSync(file)).toBe(true)
  })

  test('--show changes nothing and makes nothing', async () => {
    await using folder = await temporaryFolder()
    const { code, stdout, called } = await runTrust(folder.path, '--show')
    expect([code, called]).toEqual([0, []])
    expect(stdout).toContain('Would run: ')
    expect(existsSync(join(folder.path, 'data'))).toBe(false)
  })

  test('--help prints the usage text and runs nothing', async () => {
    await using folder = await temporaryFolder()
    const { code, stdout, called } = await runTrust(folder.path, '--help')
    expect([code, called]).toEqual([0, []])
    expect(stdout).toMatch(/^Usage: npm run trust -- /)
    expect(existsSync(join(folder.path, 'data'))).toBe(false)
  })

  test('an unknown option is refused, and nothing runs', async () => {
    await using folder = await temporaryFolder()
    const { code, stderr, called } = await runTrust(folder.path, '--helf')
    expect([code, called]).toEqual([78, []])
    expect(stderr).toMatch(/^Unknown option '--helf'\.\nUsage: /)
    expect(existsSync(join(folder.path, 'data'))).toBe(false)
  })
})
