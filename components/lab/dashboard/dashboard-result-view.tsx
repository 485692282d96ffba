import { longestFigureWaitMs } from '@/lib/protocol/lab.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import { ComparisonBars } from '../results/comparison-bars.tsx'
import { ResultActions } from '../results/result-actions.tsx'
import { resultEnvironmentText } from '../results/result-environment.ts'
import type { ResultsStore } from '../results/create-use-results.ts'
import { dashboardResultKind, type DashboardResult } from './dashboard-result.ts'
import { DrawingsTable } from './drawings-table.tsx'
import { methodText } from './figure-methods.ts'

interface DashboardResultViewProps {
  readonly result: DashboardResult
  readonly saved?: ResultsStore<DashboardResult>
}

/** Compares drawings, as bars and in figures. */
export function DashboardResultView({ result, saved }: DashboardResultViewProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{labStrings.drawings.summary(resultEnvironmentText(result))}</p>
      <ComparisonBars
        isWide
        caption={labStrings.drawings.bars}
        bars={result.drawings.map((drawing, index) => ({
          id: index,
          name: methodText(drawing),
          value: drawing.ms,
          mark: longestFigureWaitMs(drawing.seed),
          text: labStrings.drawings.seconds(drawing.ms),
        }))}
      />
      <DrawingsTable drawings={result.drawings} name={labStrings.drawings.table} />
      <ResultActions kind={dashboardResultKind} result={result} saved={saved} />
    </div>
  )
}
