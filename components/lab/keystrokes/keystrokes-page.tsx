'use client'

import { useState } from 'react'
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

const titleOf = (result: LabResult): string => {
  const count = result.lanes.length
  return `${surroundingsText(result)}, ${count === 1 ? '1 transport' : `${count} transports`}`
}

const steps = [
  'Open the scratch document, and beside this page the windows that you want to measure. They hear it through the server, never by the shortcut within one browser.',
  'Choose transports and start. This page writes for you, without a key press: what your own keys take, the latency overlay shows.',
  'Read the result: when each window had the letter, and when it was on its screen.',
]

export function KeystrokesPage() {
  const { state, begin } = useScene()
  const [result, setResult] = useState<LabResult | null>(null)
  const saved = useResults()
  return (
    <LabFrame
      path="/lab"
      title="Keystrokes"
      sentence="How long a letter takes from here to your other windows, by each transport."
      steps={steps}
    >
      <SharedResult kind={keystrokes}>
        {(shared) => <ResultView result={shared} saved={saved} />}
      </SharedResult>
      <WindowsSection state={state} begin={begin} />
      {state.phase === 'ready' && <MeasureSection scene={state.scene} onResult={setResult} />}
      {result && (
        <section aria-labelledby="result" className="flex flex-col gap-3">
          <h2 id="result" className="text-lg font-semibold">
            Result
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
