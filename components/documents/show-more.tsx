'use client'

import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/documents.ts'

interface ShowMoreProps {
  readonly busy: boolean
  readonly failed: boolean
  readonly more: () => void
}

/** Below a page of a list: fetches the next one by itself when it comes near the screen, and when it is pressed. */
export function ShowMore({ busy, failed, more }: ShowMoreProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After a failure only the person asks again: the button stays where it is, and would ask for ever.
    if (busy || failed) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      rootMargin: '400px',
    })
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [busy, failed, more])
  return (
    <div ref={place} className="mt-4 flex flex-col items-center gap-3 border-t border-line pt-6">
      <p role="alert" className="text-sm text-muted empty:hidden">
        {failed && strings.more.failed}
      </p>
      <Button onClick={more} disabled={busy} aria-busy={busy}>
        {failed ? common.tryAgain : strings.more.show}
      </Button>
    </div>
  )
}
