'use client'

import { Download, Link2, Save } from 'lucide-react'
import { useState } from 'react'
import { CopyField } from '@/components/addresses/copy-field.tsx'
import { Button } from '@/components/ui/button.tsx'
import { saveFile } from '@/components/save-file.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import type { ResultEnvironment } from './read-result.ts'
import { resultLink, type ResultKind } from './result-storage.ts'
import type { ResultsStore } from './create-use-results.ts'

interface ResultActionsProps<Result extends ResultEnvironment> {
  readonly kind: ResultKind<Result>
  readonly result: Result
  /** Where it can be stored, unless it came from there. */
  readonly saved?: ResultsStore<Result> | undefined
}

/** The actions for a result: store it, export it, share it. */
export function ResultActions<Result extends ResultEnvironment>(props: ResultActionsProps<Result>) {
  const { kind, result, saved } = props
  const isSaved = saved?.has(result) ?? false
  const [sharedResult, setSharedResult] = useState<Result | null>(null)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {saved && (
          <Button onClick={() => isSaved || saved.add(result)} aria-disabled={isSaved}>
            <Save size={16} aria-hidden /> {isSaved ? labStrings.actions.saved : labStrings.actions.save}
          </Button>
        )}
        <Button onClick={() => download(result, kind.file)}>
          <Download size={16} aria-hidden /> {labStrings.actions.download}
        </Button>
        <Button onClick={() => setSharedResult(result)}>
          <Link2 size={16} aria-hidden /> {labStrings.actions.share}
        </Button>
      </div>
      {sharedResult === result && (
        <div className="flex max-w-xl flex-col gap-1">
          <p className="text-sm text-muted">{labStrings.actions.shareHint}</p>
          <CopyField
            text={resultLink(result, `${location.origin}${kind.page}`)}
            label={labStrings.actions.link}
          />
        </div>
      )}
    </div>
  )
}

function download(result: ResultEnvironment, file: string): void {
  const time = new Date(result.at).toISOString().slice(0, 19).replaceAll(':', '-')
  saveFile(`${file}-${time}.json`, JSON.stringify(result, null, 2))
}
