/** Runs commands to their end, each in its own process group: what a command started ends with it, however it ends. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export interface CommandResult {
  readonly code: number
  /** Standard output and errors in order; empty when they were shown instead. */
  readonly output: string
  /** The last line of a command that was ended because it printed nothing for too long. */
  readonly silentAfter?: string
}

export interface RunOptions {
  /** Shows the output at once instead of collecting it. */
  readonly show?: boolean
  readonly env?: Record<string, string>
  /** Ends a command that prints nothing for so long, in ms. */
  readonly silenceMs?: number
}

/** The time between the request to end and the end by force. */
const GRACE_MS = 3_000

const running = new Set<ChildProcess>()
const toolsFolder = join(import.meta.dirname, '../node_modules/.bin')

/** Without these, CI=true alone makes some tools colour output that nobody reads in a terminal. */
const colourSettings: Record<string, string> =
  process.stdout.isTTY && process.env.NO_COLOR === undefined ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }

export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const { show = false, env = {}, silenceMs } = options
  const child = spawn(command, args, {
    detached: true,
    env: { ...process.env, ...colourSettings, PATH: `${toolsFolder}${delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const chunks: Buffer[] = []
  let lastLine = ''
  const silenceTimer =
    silenceMs === undefined ? null : startSilenceTimer(silenceMs, () => interruptCommand(child))
  const onOutput = (chunk: Buffer): void => {
    silenceTimer?.refresh()
    lastLine = lastLineOf(chunk.toString()) ?? lastLine
    if (show) process.stdout.write(chunk)
    else chunks.push(chunk)
  }
  child.stdout.on('data', onOutput)
  child.stderr.on('data', onOutput)
  return new Promise((resolve) => {
    const finish = (code: number, extra = '') => {
      running.delete(child)
      silenceTimer?.stop()
      const output = Buffer.concat(chunks).toString() + extra
      resolve({ code, output, ...(silenceTimer?.isOver && { silentAfter: lastLine }) })
    }
    child.on('error', (error) => finish(127, `${command}: ${error.message}\n`))
    // Processes that the command left behind would keep its output open, so that `close` never came.
    child.on('exit', () => killGroup(child, 'SIGKILL'))
    child.on('close', (code, signal) => finish(code ?? 1, signal ? `${command} ended by ${signal}\n` : ''))
  })
}

const lastLineOf = (text: string): string | undefined =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')

function startSilenceTimer(ms: number, onSilence: () => void) {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    onSilence()
  }, ms)
  return {
    get isOver() {
      return isOver
    },
    refresh: () => isOver || timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}

/** Interrupts the command first, because a test runner then writes its report. */
function interruptCommand(child: ChildProcess): void {
  killGroup(child, 'SIGINT')
  setTimeout(() => {
    killGroup(child, 'SIGKILL')
    // A process outside of the group may hold the streams open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, GRACE_MS)
}

/** Ends, on Ctrl-C or SIGTERM, every group started here, then this process. */
export function endChildrenOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      for (const child of running) killGroup(child, 'SIGTERM')
      setTimeout(() => {
        for (const child of running) killGroup(child, 'SIGKILL')
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }, GRACE_MS)
    })
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {
    // the group has already ended
  }
}
