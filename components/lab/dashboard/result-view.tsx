import { longestFigureWaitMs } from '@/lib/protocol/lab.ts'
import { strings } from '@/lib/strings/lab.ts'
import { Bars } from '../results/bars'
import { ResultActions } from '../results/result-actions'
import { surroundingsText } from '../results/surroundings'
import type { Results } from '../results/use-results'
import { dashboards, type DashboardResult } from './result'
import { ResultTable } from './result-table'
import { wayText } from './ways'

interface ResultViewProps {
  readonly result: DashboardResult
  readonly saved?: Results<DashboardResult>
}

/** Drawings beside each other: as bars, and in figures. */
export function ResultView({ result, saved }: ResultViewProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{strings.drawings.summary(surroundingsText(result))}</p>
      <Bars
        isWide
        caption={strings.drawings.bars}
        bars={result.drawings.map((drawn, index) => ({
          id: index,
          name: wayText(drawn),
          value: drawn.ms,
          mark: longestFigureWaitMs(drawn.seed),
          text: strings.drawings.seconds(drawn.ms),
        }))}
      />
      <ResultTable drawings={result.drawings} name={strings.drawings.table} />
      <ResultActions kind={dashboards} result={result} saved={saved} />
    </div>
  )
}
