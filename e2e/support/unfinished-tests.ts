/**
 * Reports long tests while they still run, each once, with the step that they wait for, so
 * that a run that hangs differs from a slow one.
 */
import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter'

const UNFINISHED_AFTER_MS = 60_000

export default class UnfinishedTestsReporter implements Reporter {
  readonly #timers = new Map<TestResult, NodeJS.Timeout>()
  readonly #steps = new Map<TestResult, Set<TestStep>>()

  onTestBegin(test: TestCase, result: TestResult): void {
    this.#steps.set(result, new Set())
    this.#timers.set(result, setTimeout(() => this.#print(test, result), UNFINISHED_AFTER_MS).unref())
  }

  onStepBegin(_test: TestCase, result: TestResult, step: TestStep): void {
    this.#steps.get(result)?.add(step)
  }

  onStepEnd(_test: TestCase, result: TestResult, step: TestStep): void {
    this.#steps.get(result)?.delete(step)
  }

  onTestEnd(_test: TestCase, result: TestResult): void {
    clearTimeout(this.#timers.get(result))
    this.#timers.delete(result)
    this.#steps.delete(result)
  }

  #print(test: TestCase, result: TestResult): void {
    const steps = [...(this.#steps.get(result) ?? [])].map(({ title, location }) =>
      location ? `${title} (line ${location.line})` : title,
    )
    const path = [...test.titlePath(), ...steps].filter(Boolean).join(' › ')
    process.stdout.write(`  still running after ${UNFINISHED_AFTER_MS / 1000} s: ${path}\n`)
  }

  printsToStdio(): boolean {
    return false
  }
}
