/** Runs commands to their end, one process group each, so that Ctrl-C leaves no child behind. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { delimiter, join } from 'node:path'

export interface Finished {
  readonly code: number
  /** Standard output and errors as they came; empty when they were shown instead. */
  readonly output: string
}

export interface RunOptions {
  /** Show the output while it comes instead of collecting it. */
  readonly show?: boolean
  readonly env?: Record<string, string>
}

const running = new Set<ChildProcess>()
const tools = join(import.meta.dirname, '../node_modules/.bin')

/** CI=true alone makes some tools colour what nobody looks at in a terminal. */
const colours: Record<string, string> = process.stdout.isTTY ? {} : { NO_COLOR: '1' }

export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { show = false, env = {} } = options
  const child = spawn(command, args, {
    detached: true,
    env: { ...process.env, ...colours, PATH: `${tools}${delimiter}${process.env.PATH}`, ...env },
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => {
    const finish = (code: number, extra = '') => {
      running.delete(child)
      resolve({ code, output: Buffer.concat(chunks).toString() + extra })
    }
    child.on('error', (error) => finish(127, `${command}: ${error.message}\n`))
    child.on('close', (code, signal) => finish(code ?? 1, signal ? `${command} ended by ${signal}\n` : ''))
  })
}

/** On Ctrl-C or SIGTERM every group started here ends, then this process. */
export function endChildrenOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      killGroups('SIGTERM')
      setTimeout(() => {
        killGroups('SIGKILL')
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }, 1500)
    })
  }
}

function killGroups(signal: NodeJS.Signals): void {
  for (const { pid } of running) {
    try {
      if (pid) process.kill(-pid, signal)
    } catch {
      // the group is gone already
    }
  }
}
