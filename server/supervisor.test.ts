import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { EXIT } from './exit-codes.ts'
import { awaitOutput, isAlive } from './fixtures/child-process.ts'
import { type Program, ready, startProgram } from './fixtures/program.ts'
import { attach, edit, hello, RawClient } from './fixtures/raw-client.ts'
import { makeDocument, type SharedDocument, until } from './fixtures/real-server.ts'
import { temporaryFolder } from './fixtures/running.ts'

/** Lets a test make a fault that nothing contains. */
const FAULT_ON_SIGNAL =
  'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("injected Bearer abc")}).on("SIGWINCH",()=>{void Promise.reject(new Error("injected Bearer abc"))})'

const fault = (what: string): string =>
  `Diptych met a fault that it cannot survive, ${what}, and ends with code 70: Error: injected Bearer [redacted]`

const supervise = (environment: Record<string, string>): Program =>
  startProgram(environment, { script: 'server/supervisor.ts', preloaded: [FAULT_ON_SIGNAL] })

function serverOf({ process: { pid } }: Program): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(child)
}

/** Its ports are other ones after each start. */
async function readyAgain(program: Program, starts: number): Promise<{ http: string }> {
  await awaitOutput(program, new RegExp(`([^]*Ctrl\\+C){${starts}}`))
  return {
    http: program
      .stdout()
      .match(/http:\/\/localhost:\d+/g)!
      .at(-1)!,
  }
}

async function attached(origin: string, { id, tokens }: SharedDocument): Promise<RawClient> {
  const client = await RawClient.open('websocket', origin, tokens.editor)
  client.say(hello, attach(id))
  await client.hears('attached')
  return client
}

async function write(origin: string, document: SharedDocument, text: string): Promise<void> {
  using client = await attached(origin, document)
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, text)
  client.say(edit(Y.encodeStateAsUpdate(doc)))
  await client.hears('saved')
}

async function read(origin: string, document: SharedDocument): Promise<string> {
  using client = await attached(origin, document)
  const doc = new Y.Doc()
  for (const update of (await client.hears('attached')).updates) Y.applyUpdate(doc, update)
  return doc.getText('trace').toJSON()
}

describe.runIf(process.platform === 'linux')('a supervised server', { timeout: 60_000 }, () => {
  test('that is killed, or meets a fault, is back after the back-off with all that was acknowledged, and ends with its supervisor', async () => {
    await using folder = await temporaryFolder()
    await using program = supervise({ DATA_DIR: folder.path, LOG_LEVEL: 'info' })
    const { http } = await ready(program)
    const document = await makeDocument(http)
    await write(http, document, 'acknowledged')

    process.kill(serverOf(program), 'SIGKILL')
    const again = await readyAgain(program, 2)
    expect(program.stderr()).toContain('Diptych was ended by SIGKILL, and is started again in 0.25 s.')
    expect(await read(again.http, document)).toBe('acknowledged')

    process.kill(serverOf(program), 'SIGUSR2')
    await readyAgain(program, 3)
    expect(program.stderr()).toContain(fault('an exception that nobody caught'))
    expect(program.stderr()).toContain('Diptych ended with code 70, and is started again in 0.5 s.')

    const server = serverOf(program)
    program.process.kill('SIGTERM')
    expect((await program.ended).code).toBe(EXIT.ended)
    expect([program.stderr().includes('draining'), isAlive(server)]).toEqual([true, false])
  })

  test('drains, and ends with 0, where a terminal signals both', async () => {
    await using folder = await temporaryFolder()
    await using program = supervise({ DATA_DIR: folder.path })
    await ready(program)
    process.kill(-program.process.pid!, 'SIGINT')
    expect((await program.ended).code).toBe(EXIT.ended)
  })

  test('that is to end while it waits to start again does not', async () => {
    await using folder = await temporaryFolder()
    await using program = supervise({ DATA_DIR: folder.path })
    await ready(program)
    process.kill(serverOf(program), 'SIGWINCH')
    await awaitOutput(program, /started again/)
    program.process.kill('SIGTERM')
    const { code, stdout, stderr } = await program.ended
    expect([code, stdout.match(/Ctrl\+C/g)]).toEqual([EXIT.ended, ['Ctrl+C']])
    expect(stderr).toContain(fault('a rejection that nobody awaited'))
  })

  test('with a setting that cannot be used ends at once, with one sentence', async () => {
    await using program = supervise({ PORT: 'http' })
    const { code, stdout, stderr } = await program.ended
    expect([code, stdout]).toEqual([EXIT.setting, ''])
    expect(stderr).toMatch(/^PORT is "http", .*\n$/)
  })

  test('ends by itself once its supervisor was killed', async () => {
    await using folder = await temporaryFolder()
    await using program = supervise({ DATA_DIR: folder.path, LOG_LEVEL: 'info' })
    await ready(program)
    const server = serverOf(program)
    program.process.kill('SIGKILL')
    await until(() => !isAlive(server))
    expect((await program.ended).stderr).toContain('the end of the supervisor')
  })
})
