'use client'

import { type ReactNode, useRef } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { labStrings } from '@/lib/strings/lab.ts'
import type { ResultEnvironment } from './read-result.ts'
import type { ResultsStore } from './create-use-results.ts'

interface SavedResultsProps<Result extends ResultEnvironment> {
  readonly saved: ResultsStore<Result>
  readonly titleOf: (result: Result) => string
  readonly children: (result: Result) => ReactNode
}

export function SavedResults<Result extends ResultEnvironment>(props: SavedResultsProps<Result>) {
  const { saved, titleOf, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = (result: Result) => {
    saved.remove(result)
    heading.current?.focus()
  }
  return (
    <section aria-labelledby="saved" className="flex flex-col gap-2">
      <h2 id="saved" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {labStrings.saved.title}
      </h2>
      {saved.list.length === 0 && <p className="text-sm text-muted">{labStrings.saved.empty}</p>}
      {saved.list.map((result) => (
        <details key={result.at} className="rounded-xl border border-line px-4 py-2">
          <summary className="min-h-8 text-sm">{titleOf(result)}</summary>
          <div className="flex flex-col items-start gap-3 pt-2 pb-2 *:w-full">
            {children(result)}
            <Button look="quiet" className="w-auto! self-start" onClick={() => remove(result)}>
              {labStrings.saved.delete}
            </Button>
          </div>
        </details>
      ))}
    </section>
  )
}
