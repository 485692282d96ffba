'use client'

import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

interface ShowMoreProps {
  readonly busy: boolean
  readonly hasFailed: boolean
  readonly onMore: () => void
}

/** Fetches the next page of a list automatically when it comes near the screen, and also when it is pressed. */
export function ShowMore({ busy, hasFailed, onMore }: ShowMoreProps) {
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After a failure only the person can retry: the button stays in place and would otherwise retry endlessly.
    if (busy || hasFailed) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '400px',
    })
    observer.observe(sentinel.current!)
    return () => observer.disconnect()
  }, [busy, hasFailed, onMore])
  return (
    <div ref={sentinel} className="mt-4 flex flex-col items-center gap-3 border-t border-line pt-6">
      <p role="alert" className="text-sm text-muted empty:hidden">
        {hasFailed && documentsStrings.more.failed}
      </p>
      <Button onClick={onMore} disabled={busy} aria-busy={busy}>
        {hasFailed ? commonStrings.tryAgain : documentsStrings.more.show}
      </Button>
    </div>
  )
}
