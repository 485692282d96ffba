'use client'

import { useState } from 'react'
import { CHARTS } from '@/lib/protocol/lab.ts'
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

const charts = Array.from({ length: CHARTS }, (_, chart) => chart)
const useResults = resultsOf(dashboards)

const titleOf = (result: DashboardResult): string => {
  const count = result.drawings.length
  return `${surroundingsText(result)}, ${count === 1 ? '1 drawing' : `${count} drawings`}`
}

export function DashboardPage() {
  const drawing = useRun()
  const [live, setLive] = useState(false)
  const saved = useResults()
  const { run, result } = drawing
  return (
    <LabFrame
      path="/lab/dashboard"
      title="Dashboard"
      sentence="Fifty charts of this server’s own figures, each answered after 1 to 5 seconds that a seed decides. How long until all are drawn depends on how many requests may be on their way at once: HTTP/1.1 allows a page six, HTTP/2 and a session many."
    >
      <SharedResult kind={dashboards}>
        {(shared) => <ResultView result={shared} saved={saved} />}
      </SharedResult>
      <Controls drawing={drawing} live={live} setLive={setLive} />
      <section aria-labelledby="drawings" className="flex flex-col gap-3">
        <h2 id="drawings" className="text-lg font-semibold">
          Time until all are drawn
        </h2>
        {result ? (
          <ResultView result={result} saved={saved} />
        ) : (
          <p className="text-sm text-muted">Nothing has been drawn here yet.</p>
        )}
      </section>
      {run && (
        <ul
          aria-label="Charts"
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
