'use client'

import { useState } from 'react'
import { strings } from '@/lib/strings/lab.ts'
import { LabFrame } from '../lab-frame'
import { SavedResults } from '../results/saved-results'
import { SharedResult } from '../results/shared-result'
import { surroundingsText } from '../results/surroundings'
import { resultsOf } from '../results/use-results'
import { MeasureSection } from './measure-section'
import { keystrokes, type LabResult } from './result'
import { ResultView } from './result-view'
import { useScene } from './use-scene'
import { WindowsSection } from './windows-section'

const useResults = resultsOf(keystrokes)

const titleOf = (result: LabResult): string =>
  strings.saved.keystrokes(surroundingsText(result), result.lanes.length)

export function KeystrokesPage() {
  const { state, begin } = useScene()
  const [result, setResult] = useState<LabResult | null>(null)
  const saved = useResults()
  return (
    <LabFrame
      path="/lab"
      title={strings.keystrokes.title}
      sentence={strings.keystrokes.sentence}
      steps={strings.keystrokes.steps}
    >
      <SharedResult kind={keystrokes}>
        {(shared) => <ResultView result={shared} saved={saved} />}
      </SharedResult>
      <WindowsSection state={state} begin={begin} />
      {state.phase === 'ready' && <MeasureSection scene={state.scene} onResult={setResult} />}
      {result && (
        <section aria-labelledby="result" className="flex flex-col gap-3">
          <h2 id="result" className="text-lg font-semibold">
            {strings.result.title}
          </h2>
          <ResultView result={result} saved={saved} />
        </section>
      )}
      <SavedResults saved={saved} title={titleOf}>
        {(kept) => <ResultView result={kept} />}
      </SavedResults>
    </LabFrame>
  )
}
