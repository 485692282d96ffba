import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { EXIT } from './exit-codes.ts'
import { awaitOutput, isAlive } from './fixtures/child-process.ts'
import {
  type ServerProgram,
  startServerProgram,
  startServerProgramByNpm,
  waitUntilReady,
} from './fixtures/server-program.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from './fixtures/raw-client.ts'
import { createSharedDocument, type SharedDocument } from './fixtures/shared-document.ts'
import { waitUntil } from '../lib/fixtures/wait.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

/** Lets a test cause a fault that nothing contains. */
const FAULT_ON_SIGNAL =
  'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("injected Bearer abc")}).on("SIGWINCH",()=>{void Promise.reject(new Error("injected Bearer abc"))})'

const faultMessage = (what: string): string =>
  `Diptych met a fault that it cannot survive, ${what}, and ends with code 70: Error: injected Bearer [redacted]`

const startSupervisor = (environment: Record<string, string>): ServerProgram =>
  startServerProgram(environment, { script: 'server/supervisor.ts', preloaded: [FAULT_ON_SIGNAL] })

function serverPidOf({ process: { pid } }: ServerProgram): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(child)
}

/** The ports differ after each start. */
async function waitUntilReadyAgain(program: ServerProgram, starts: number): Promise<{ http: string }> {
  await awaitOutput(program, new RegExp(`([^]*Ctrl\\+C){${starts}}`))
  return {
    http: program
      .stdout()
      .match(/http:\/\/localhost:\d+/g)!
      .at(-1)!,
  }
}

async function openAttachedClient(origin: string, { id, tokens }: SharedDocument): Promise<RawClient> {
  const client = await RawClient.open('websocket', origin, tokens.editor)
  client.send(helloMessage, createAttachMessage(id))
  await client.waitForMessage('attached')
  return client
}

async function writeText(origin: string, document: SharedDocument, text: string): Promise<void> {
  using client = await openAttachedClient(origin, document)
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, text)
  client.send(createEditMessage(Y.encodeStateAsUpdate(doc)))
  await client.waitForMessage('saved')
}

async function readText(origin: string, document: SharedDocument): Promise<string> {
  using client = await openAttachedClient(origin, document)
  const doc = new Y.Doc()
  for (const update of (await client.waitForMessage('attached')).updates) Y.applyUpdate(doc, update)
  return doc.getText('trace').toJSON()
}

describe.runIf(process.platform === 'linux')('a supervised server', { timeout: 60_000 }, () => {
  test('that is killed, or meets a fault, restarts after the backoff with everything saved, and ends with its supervisor', async () => {
    await using folder = await temporaryFolder()
    await using program = startSupervisor({ DATA_DIR: folder.path, LOG_LEVEL: 'info' })
    const { http } = await waitUntilReady(program)
    const document = await createSharedDocument(http)
    await writeText(http, document, 'acknowledged')

    process.kill(serverPidOf(program), 'SIGKILL')
    const restarted = await waitUntilReadyAgain(program, 2)
    expect(program.stderr()).toContain('Diptych was ended by SIGKILL, and is started again in 0.25 s.')
    expect(await readText(restarted.http, document)).toBe('acknowledged')

    process.kill(serverPidOf(program), 'SIGUSR2')
    await waitUntilReadyAgain(program, 3)
    expect(program.stderr()).toContain(faultMessage('an exception that nobody caught'))
    expect(program.stderr()).toContain('Diptych ended with code 70, and is started again in 0.5 s.')

    const server = serverPidOf(program)
    program.process.kill('SIGTERM')
    expect((await program.ended).code).toBe(EXIT.ended)
    expect([program.stderr().includes('draining'), isAlive(server)]).toEqual([true, false])
  })

  test('drains, and ends with 0, when a terminal signals both', async () => {
    await using folder = await temporaryFolder()
    await using program = startSupervisor({ DATA_DIR: folder.path })
    await waitUntilReady(program)
    process.kill(-program.process.pid!, 'SIGINT')
    expect((await program.ended).code).toBe(EXIT.ended)
  })

  test('does not restart when it is told to end while it waits', async () => {
    await using folder = await temporaryFolder()
    await using program = startSupervisor({ DATA_DIR: folder.path })
    await waitUntilReady(program)
    process.kill(serverPidOf(program), 'SIGWINCH')
    await awaitOutput(program, /started again/)
    program.process.kill('SIGTERM')
    const { code, stdout, stderr } = await program.ended
    expect([code, stdout.match(/Ctrl\+C/g)]).toEqual([EXIT.ended, ['Ctrl+C']])
    expect(stderr).toContain(faultMessage('a rejection that nobody awaited'))
  })

  test('with a setting that cannot be used ends at once, with one sentence', async () => {
    await using program = startSupervisor({ PORT: 'http' })
    const { code, stdout, stderr } = await program.ended
    expect([code, stdout]).toEqual([EXIT.setting, ''])
    expect(stderr).toMatch(/^PORT is "http", .*\n$/)
  })

  test('ends by itself when its supervisor is killed', async () => {
    await using folder = await temporaryFolder()
    await using program = startSupervisor({ DATA_DIR: folder.path, LOG_LEVEL: 'info' })
    await waitUntilReady(program)
    const server = serverPidOf(program)
    program.process.kill('SIGKILL')
    await waitUntil(() => !isAlive(server))
    expect((await program.ended).stderr).toContain('the end of the supervisor')
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'drains and ends when npm, which runs it, is ended by %s',
    async (signal) => {
      await using folder = await temporaryFolder()
      await using npm = startServerProgramByNpm({ DATA_DIR: folder.path, LOG_LEVEL: 'info' })
      await waitUntilReady(npm)
      npm.process.kill(signal)
      const { stderr } = await npm.ended // once all processes that hold its output are gone
      expect(stderr).toContain('draining')
    },
  )
})
