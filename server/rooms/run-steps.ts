/** Runs work in steps, divided by `yield`, so that other work can have a turn in between. */

export function runAllSteps<Answer>(steps: Iterator<undefined, Answer>): Answer {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs the first step at once, and each later one in a turn of its own. */
export async function runInTurns<Answer>(steps: Iterator<undefined, Answer>): Promise<Answer> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
