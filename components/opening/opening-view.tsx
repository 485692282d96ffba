import type { ReactNode } from 'react'
import { Logo } from '@/components/ui/logo.tsx'
import { openingStrings } from '@/lib/strings/opening.ts'

interface OpeningViewProps {
  readonly note?: string | undefined
  readonly action?: ReactNode
}

/** Has the place of title and text, so that nothing shifts when they arrive. */
export function OpeningView({ note, action }: OpeningViewProps) {
  return (
    <main aria-busy="true">
      <div className="flex h-[3.25rem] items-center gap-3 border-b border-line px-4">
        <Logo />
        <output className="text-sm text-muted" aria-label={openingStrings.waiting.saveState}>
          {openingStrings.waiting.loading}
        </output>
      </div>
      <div className="text-column pt-[calc(2.5rem+6vh)]">
        <h1 className="sr-only">{openingStrings.waiting.title}</h1>
        <div aria-hidden className="flex animate-pulse flex-col gap-4">
          <div className="mb-4 h-9 w-3/5 rounded-lg bg-line" />
          {[100, 94, 98, 61].map((width) => (
            <div key={width} className="h-4 rounded bg-line" style={{ width: `${width}%` }} />
          ))}
        </div>
        <div className="mt-8 flex flex-col items-start gap-3">
          <output className="text-sm text-muted">{note}</output>
          {action}
        </div>
      </div>
    </main>
  )
}
