/**
 * Five writers in one process, with the page's commands on the page's binding and without a screen: partitions, delayed and reordered
 * updates, undo, reloads, viewers, stock clients and programs that write what no page knows. Each seed decides all that happens.
 */
import { availableParallelism } from 'node:os'
import { runManySeeds } from './editor/many-seeds.ts'
import { countKinds, type SeedFailure, type SeedReport } from './editor/seed-report.ts'

/** So many failures are shown with the steps that they need. */
const DESCRIBED = 5
const PROGRESS_EVERY = 500

interface EditorSeedsOptions {
  readonly from: number
  readonly count: number
  readonly onStep: (text: string) => void
}

/** @throws where a seed failed, after all of them. */
export async function runEditorSeeds({ from, count, onStep }: EditorSeedsOptions): Promise<void> {
  let shown = 0
  const processes = Math.min(count, availableParallelism())
  const onProgress = (report: SeedReport): void => {
    if (report.seeds - shown < PROGRESS_EVERY) return
    shown = report.seeds
    onStep(`${report.seeds} of ${count} seeds from ${from} on, ${report.failures.length} failed`)
  }
  const report = await runManySeeds({ from, count, processes, onProgress })
  onStep(describeReport(report))
  if (report.failures.length === 0) return
  await describeFailures(report.failures, onStep)
  const seeds = report.failures.map(({ seed }) => seed)
  throw new Error(`Failed: ${seeds.join(', ')}. One of them: npm run chaos -- editor --seed ${seeds[0]}`)
}

function describeReport({ seeds, acts, letters, movedAway, withBlock, failures }: SeedReport): string {
  const kinds = countKinds(failures).map(([kind, count]) => `\n  ${kind}: ${count} seeds`)
  return `${seeds} seeds, ${acts} acts, ${letters} letters: ${failures.length} seeds failed${kinds.join('')}
${movedAway} letters went with a block that somebody else moved at the same moment, ${withBlock} with one that was deleted`
}

/** One of each kind. */
async function describeFailures(
  failures: readonly SeedFailure[],
  onStep: (text: string) => void,
): Promise<void> {
  await import('./editor/page-imports.ts')
  const [{ describeFailure }, { testedSubject }] = await Promise.all([
    import('./editor/run-seeds.ts'),
    import('./editor/subject.ts'),
  ])
  for (const [kind] of countKinds(failures).slice(0, DESCRIBED)) {
    const { seed } = failures.find(({ kinds }) => kinds.includes(kind))!
    onStep(describeFailure(seed, kind, testedSubject))
  }
}
