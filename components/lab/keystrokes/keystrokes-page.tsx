'use client'

import { useState } from 'react'
import type { LabResult } from './result'
import { LabFrame } from '../lab-frame'
import { MeasureSection } from './measure-section'
import { ResultView } from './result-view'
import { SavedResults } from './saved-results'
import { SharedResult } from './shared-result'
import { useResults } from './use-results'
import { useScene } from './use-scene'
import { WindowsSection } from './windows-section'

export function KeystrokesPage() {
  const { state, begin } = useScene()
  const [result, setResult] = useState<LabResult | null>(null)
  const saved = useResults()
  return (
    <LabFrame
      path="/lab"
      title="Keystrokes"
      sentence="How long a keystroke takes from here to your other windows, by each transport. You open the windows, this page writes into a scratch document, and every window says when it had the letter and when it was on its screen. They hear this page through the server alone, so that the way is measured and not the shortcut within one browser."
    >
      <SharedResult />
      <WindowsSection state={state} begin={begin} />
      {state.phase === 'ready' && <MeasureSection scene={state.scene} onResult={setResult} />}
      {result && (
        <section aria-labelledby="result" className="flex flex-col gap-3">
          <h2 id="result" className="text-lg font-semibold">
            Result
          </h2>
          <ResultView result={result} save={saved.add} isSaved={saved.has(result)} />
        </section>
      )}
      <SavedResults saved={saved} />
    </LabFrame>
  )
}
