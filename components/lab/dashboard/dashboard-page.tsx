'use client'

import { useState } from 'react'
import { CHART_COUNT } from '@/lib/protocol/lab.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import { LabFrame } from '../lab-frame.tsx'
import { SavedResults } from '../results/saved-results.tsx'
import { SharedResult } from '../results/shared-result.tsx'
import { resultEnvironmentText } from '../results/result-environment.ts'
import { createUseResults } from '../results/create-use-results.ts'
import { DashboardControls } from './dashboard-controls.tsx'
import { FigureChart } from './figure-chart.tsx'
import { type DashboardResult, dashboardResultKind } from './dashboard-result.ts'
import { DashboardResultView } from './dashboard-result-view.tsx'
import { useDashboardRun } from './use-dashboard-run.ts'

const chartNumbers = Array.from({ length: CHART_COUNT }, (_, chart) => chart)
const useDashboardResults = createUseResults(dashboardResultKind)

const resultTitle = (result: DashboardResult): string =>
  labStrings.saved.drawings(resultEnvironmentText(result), result.drawings.length)

export function DashboardPage() {
  const runState = useDashboardRun()
  const [isLive, setIsLive] = useState(false)
  const saved = useDashboardResults()
  const { run, result } = runState
  return (
    <LabFrame
      path="/lab/dashboard"
      title={labStrings.dashboard.title}
      description={labStrings.dashboard.sentence}
    >
      <SharedResult kind={dashboardResultKind}>
        {(shared) => <DashboardResultView result={shared} saved={saved} />}
      </SharedResult>
      <DashboardControls runState={runState} isLive={isLive} setIsLive={setIsLive} />
      <section aria-labelledby="drawings" className="flex flex-col gap-3">
        <h2 id="drawings" className="text-lg font-semibold">
          {labStrings.drawings.title}
        </h2>
        {result ? (
          <DashboardResultView result={result} saved={saved} />
        ) : (
          <p className="text-sm text-muted">{labStrings.drawings.empty}</p>
        )}
      </section>
      {run && (
        <ul
          aria-label={labStrings.charts.list}
          className="grid grid-cols-2 gap-2 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-5"
        >
          {chartNumbers.map((chart) => (
            <FigureChart
              key={`${run.id}.${chart}`}
              run={run}
              chart={chart}
              isLive={isLive && !runState.isBusy}
              onSettled={(settledChart, problem) => runState.settleChart(run.id, settledChart, problem)}
            />
          ))}
        </ul>
      )}
      <SavedResults saved={saved} titleOf={resultTitle}>
        {(savedResult) => <DashboardResultView result={savedResult} />}
      </SavedResults>
    </LabFrame>
  )
}
