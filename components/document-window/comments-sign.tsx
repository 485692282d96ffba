'use client'

import { MessageSquareDot } from 'lucide-react'
import { useDeferredValue } from 'react'
import { useRequiredDock } from '@/components/dock/dock.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { useNewComments } from '@/components/panels/comments/use-new-comments.ts'
import { commentsStrings } from '@/lib/strings/comments.ts'

/** Says that somebody commented, and leads there. Not shown while nothing is new. */
export default function CommentsSign() {
  const { document, showPanel } = useRequiredDock()
  const { id, opened, user } = document
  const count = useNewComments({ document: id, opened, user })
  // This comes on screen with the first comment: a screen reader says what changes in an element that is there already.
  const announced = useDeferredValue(count, 0)
  return (
    <>
      <output className="sr-only">{announced > 0 && commentsStrings.sign.label(announced)}</output>
      {count > 0 && (
        <Hint text={commentsStrings.sign.hint}>
          <button
            type="button"
            aria-label={commentsStrings.sign.label(count)}
            onClick={() => showPanel('comments')}
            className={`${buttonClass({ look: 'quiet', shape: 'small' })} shrink-0 px-1.5 text-accent`}
          >
            <MessageSquareDot size={18} aria-hidden />
            <span className="tabular-nums">{count > 99 ? '99+' : count}</span>
          </button>
        </Hint>
      )}
    </>
  )
}
