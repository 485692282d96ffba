/** Runs work in steps, divided by `yield`, so that other work can have a turn in between. */

export function runAllSteps<Answer>(steps: Iterator<undefined, Answer>): Answer {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
