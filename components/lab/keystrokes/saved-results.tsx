'use client'

import { Button } from '@/components/ui/button'
import { ResultView } from './result-view'
import type { Results } from './use-results'

export function SavedResults({ saved }: { saved: Results }) {
  return (
    <section aria-labelledby="saved" className="flex flex-col gap-2">
      <h2 id="saved" className="text-lg font-semibold">
        Saved on this device
      </h2>
      {saved.list.length === 0 && (
        <p className="text-sm text-muted">No result yet. What you save here stays in this browser.</p>
      )}
      {saved.list.map((result) => (
        <details key={result.at} className="rounded-xl border border-line px-4 py-2">
          <summary className="min-h-8 text-sm">
            {new Date(result.at).toLocaleString()}, {result.browser}, {result.lanes.length} transports
          </summary>
          <div className="flex flex-col items-start gap-3 pt-2 pb-2 *:w-full">
            <ResultView result={result} />
            <Button look="quiet" className="w-auto! self-start" onClick={() => saved.remove(result)}>
              Delete
            </Button>
          </div>
        </details>
      ))}
    </section>
  )
}
