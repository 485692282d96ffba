/** Ends the server in order. Each step has its own time limit: a step that hangs is abandoned and logged. It knows no component by name. */
import type { Logger } from 'pino'
import { withTimeout } from './timeouts.ts'

export interface DrainStep {
  readonly name: string
  readonly limitMs: number
  run(): Promise<void> | void
}

/** Never rejects. */
export async function drainInOrder(steps: readonly DrainStep[], log: Logger): Promise<void> {
  for (const step of steps) {
    try {
      await runWithin(step)
    } catch (error) {
      log.warn({ step: step.name, error }, 'a step of the shutdown failed')
    }
  }
}

const runWithin = ({ name, limitMs, run }: DrainStep): Promise<void> =>
  withTimeout(limitMs, Promise.resolve(run()), () => {
    throw new Error(`${name} took longer than ${limitMs} ms.`)
  })
