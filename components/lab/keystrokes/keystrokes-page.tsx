'use client'

import { useState } from 'react'
import { labStrings } from '@/lib/strings/lab.ts'
import { LabFrame } from '../lab-frame.tsx'
import { SavedResults } from '../results/saved-results.tsx'
import { SharedResult } from '../results/shared-result.tsx'
import { resultEnvironmentText } from '../results/result-environment.ts'
import { createUseResults } from '../results/create-use-results.ts'
import { MeasureSection } from './measure-section.tsx'
import { keystrokesResultKind, type KeystrokesResult } from './keystrokes-result.ts'
import { KeystrokesResultView } from './keystrokes-result-view.tsx'
import { useLabContext } from './use-lab-context.ts'
import { WindowsSection } from './windows-section.tsx'

const useKeystrokesResults = createUseResults(keystrokesResultKind)

const resultTitle = (result: KeystrokesResult): string =>
  labStrings.saved.keystrokes(resultEnvironmentText(result), result.lanes.length)

export function KeystrokesPage() {
  const { state, openWindows } = useLabContext()
  const [result, setResult] = useState<KeystrokesResult | null>(null)
  const saved = useKeystrokesResults()
  return (
    <LabFrame
      path="/lab"
      title={labStrings.keystrokes.title}
      description={labStrings.keystrokes.sentence}
      steps={labStrings.keystrokes.steps}
    >
      <SharedResult kind={keystrokesResultKind}>
        {(shared) => <KeystrokesResultView result={shared} saved={saved} />}
      </SharedResult>
      <WindowsSection state={state} openWindows={openWindows} />
      {state.phase === 'ready' && <MeasureSection context={state.context} onResult={setResult} />}
      {result && (
        <section aria-labelledby="result" className="flex flex-col gap-3">
          <h2 id="result" className="text-lg font-semibold">
            {labStrings.result.title}
          </h2>
          <KeystrokesResultView result={result} saved={saved} />
        </section>
      )}
      <SavedResults saved={saved} titleOf={resultTitle}>
        {(savedResult) => <KeystrokesResultView result={savedResult} />}
      </SavedResults>
    </LabFrame>
  )
}
