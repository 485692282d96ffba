/** Ends the server in order. Each step has its own time limit: a step that hangs is abandoned and logged. It knows no component by name. */
import type { Logger } from 'pino'

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

async function runWithin({ name, limitMs, run }: DrainStep): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`${name} took longer than ${limitMs} ms.`)), limitMs)
  await Promise.race([Promise.resolve(run()), timeout]).finally(() => clearTimeout(timer))
}
