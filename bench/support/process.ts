/** A server as a process of its own, ready once it printed where it listens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { projectFolder } from '../../server/page-build.ts'

export interface ServerProcess {
  /** `https://localhost:43123` */
  readonly origin: string
  /** The same for programs that trust no local certificate; '' where it is not printed. */
  readonly plainOrigin: string
  readonly pid: number
  stop(): Promise<void>
}

export async function startProcess(
  args: readonly string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...args], {
    cwd: projectFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  let printed = ''
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${printed}`)))
    child.stdout.on('data', (bytes: Buffer) => {
      printed += bytes.toString()
      const found = /https:\/\/localhost:\d+(?=\s)/.exec(printed)
      if (found) resolve(found[0])
    })
  })
  return {
    origin,
    get plainOrigin() {
      return /http:\/\/localhost:\d+(?=\s)/.exec(printed)?.[0] ?? ''
    },
    pid: child.pid!,
    async stop() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
