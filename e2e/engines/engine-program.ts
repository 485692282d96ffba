/** The programs of the engines, as processes that never outlive this one. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'

export type ProcessEnvironment = Readonly<NodeJS.ProcessEnv>

/** Runs the program that PROGRAM names, until it is killed or this process is gone. */
export const endWithParentScript = join(import.meta.dirname, 'end-with-parent.sh')

export const programEnvironmentWith = (
  program: string,
  settings: Partial<ProcessEnvironment> = {},
): ProcessEnvironment => ({
  ...process.env,
  ...settings,
  PROGRAM: program,
})

export function findExecutable(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

export const findExecutableFile = (pattern: string): string | undefined =>
  globSync(pattern).find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export class EngineProgram implements AsyncDisposable {
  readonly #process: ChildProcess

  /** Its file 3 is a pipe, from which this process reads. */
  constructor(program: string, options: readonly string[], settings: Partial<ProcessEnvironment> = {}) {
    this.#process = spawn(endWithParentScript, options, {
      env: programEnvironmentWith(program, settings),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    })
  }

  /** @throws where the program ends without one. */
  async readFirstLine(): Promise<string> {
    let text = ''
    for await (const bytes of this.#process.stdio[3] as Readable) {
      text += String(bytes)
      if (text.includes('\n')) return text.trim()
    }
    throw new Error('The program ended before it wrote a line.')
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.hasEnded) return
    const ended = once(this.#process, 'exit')
    this.#process.stdin?.end()
    await ended
  }
}
