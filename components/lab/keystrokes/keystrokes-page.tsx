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

export function KeystrokesPage() {
  const { state, begin } = useScene()
  const [result, setResult] = useState<LabResult | null>(null)
  const saved = useResults()
  return (
    <LabFrame
      path="/lab"
      title="Keystrokes"
      sentence="How long a letter takes from here to your other windows, by each transport. You open the windows, this page writes for you into a scratch document, and every window says when it had the letter and when it was on its screen. No key is pressed: what your own keys take, the latency overlay shows. They hear this page through the server alone, so that the way is measured and not the shortcut within one browser."
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
