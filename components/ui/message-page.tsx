import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { Logo } from './logo.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

interface MessagePageProps {
  readonly title: string
  /** What happened, and what to do about it. */
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** Whether it also links to the list of documents. */
  readonly hasHomeLink?: boolean
}

/** A whole page with one message: missing, broken, not reachable. */
export function MessagePage({ title, children, actions, hasHomeLink = true }: MessagePageProps) {
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-16">
      <div className="flex max-w-md flex-col items-start gap-4">
        <Logo size={36} />
        <h1 className="font-serif text-3xl font-semibold tracking-tight text-balance">{title}</h1>
        <div className="text-muted text-pretty">{children}</div>
        <div className="mt-2 flex flex-wrap gap-2">
          {actions}
          {/* No `Link`: every page would load the router's link with its message pages, and a broken page is left for good. */}
          {hasHomeLink && (
            <a href="/" className={buttonClass({ look: actions ? 'plain' : 'primary' })}>
              {pagesStrings.allDocuments}
            </a>
          )}
        </div>
      </div>
    </main>
  )
}

/** Shown alike for a missing document and for one that is not shared with this person. */
export function MissingDocument() {
  return (
    <MessagePage title={pagesStrings.missingDocument.title}>{pagesStrings.missingDocument.hint}</MessagePage>
  )
}
