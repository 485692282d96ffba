import type { EditorSubject } from './editor-subject.ts'
import { runScript } from './run-script.ts'
import { describeStep, generateScript, type Script } from './script.ts'
import { addReports, noSeeds, type SeedReport } from './seed-report.ts'
import { shortenScript } from './shorten-script.ts'

export function runSeeds(from: number, count: number, subject: EditorSubject): SeedReport {
  let sum = noSeeds
  for (let seed = from; seed < from + count; seed++) sum = addReports(sum, runSeed(seed, subject))
  return sum
}

function runSeed(seed: number, subject: EditorSubject): SeedReport {
  const { acts, lettersWritten, movedAway, withBlock, violations } = runScript(generateScript(seed), subject)
  const kinds = violations.map(({ kind }) => kind)
  return {
    seeds: 1,
    acts,
    letters: lettersWritten,
    movedAway: movedAway.length,
    withBlock: withBlock.length,
    failures: kinds.length > 0 ? [{ seed, kinds }] : [],
  }
}

/** The seed's script without all steps that a violation of this kind does not need, and what it says. */
export function describeFailure(seed: number, kind: string, subject: EditorSubject): string {
  const violationIn = (script: Script) =>
    runScript(script, subject).violations.find((violation) => violation.kind === kind)
  const script = shortenScript(generateScript(seed), (shorter) => violationIn(shorter) !== undefined)
  const steps = script.steps.map((step, index) => `  ${index}: ${describeStep(step)}`)
  const message = violationIn(script)?.message ?? 'not seen again'
  return [`Seed ${seed}, ${kind}. Writers: ${script.writers.join(', ')}`, ...steps, `  ${message}`].join('\n')
}
