'use client'

import { useState } from 'react'
import { CHART_COUNT } from '@/lib/protocol/lab.ts'
import { strings } from '@/lib/strings/lab.ts'
import { LabFrame } from '../lab-frame'
import { SavedResults } from '../results/saved-results'
import { SharedResult } from '../results/shared-result'
import { surroundingsText } from '../results/surroundings'
import { resultsOf } from '../results/use-results'
import { Controls } from './controls'
import { FigureChart } from './figure-chart'
import { type DashboardResult, dashboards } from './result'
import { ResultView } from './result-view'
import { useRun } from './use-run'

const charts = Array.from({ length: CHART_COUNT }, (_, chart) => chart)
const useResults = resultsOf(dashboards)

const titleOf = (result: DashboardResult): string =>
  strings.saved.drawings(surroundingsText(result), result.drawings.length)

export function DashboardPage() {
  const drawing = useRun()
  const [live, setLive] = useState(false)
  const saved = useResults()
  const { run, result } = drawing
  return (
    <LabFrame path="/lab/dashboard" title={strings.dashboard.title} sentence={strings.dashboard.sentence}>
      <SharedResult kind={dashboards}>
        {(shared) => <ResultView result={shared} saved={saved} />}
      </SharedResult>
      <Controls drawing={drawing} live={live} setLive={setLive} />
      <section aria-labelledby="drawings" className="flex flex-col gap-3">
        <h2 id="drawings" className="text-lg font-semibold">
          {strings.drawings.title}
        </h2>
        {result ? (
          <ResultView result={result} saved={saved} />
        ) : (
          <p className="text-sm text-muted">{strings.drawings.empty}</p>
        )}
      </section>
      {run && (
        <ul
          aria-label={strings.charts.list}
          className="grid grid-cols-2 gap-2 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-5"
        >
          {charts.map((chart) => (
            <FigureChart
              key={`${run.id}.${chart}`}
              run={run}
              chart={chart}
              live={live && !drawing.busy}
              onSettled={(which, problem) => drawing.settle(run.id, which, problem)}
            />
          ))}
        </ul>
      )}
      <SavedResults saved={saved} title={titleOf}>
        {(kept) => <ResultView result={kept} />}
      </SavedResults>
    </LabFrame>
  )
}
