'use client'

import { useState, type FormEvent } from 'react'
import { toast } from '@/components/ui/toast.ts'
import type { OpenDocument } from '@/lib/client.ts'
import type { SearchMatch } from '@/lib/text/search-match.ts'
import type { Finder, SearchState } from '@/lib/text/finder.ts'
import { Button } from '@/components/ui/button.tsx'
import { runUndoable } from '@/components/undo/run-undoable.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { fieldClass } from './field-class.ts'
import { findStrings } from '@/lib/strings/find.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

interface ReplaceFieldProps {
  readonly opened: OpenDocument
  readonly finder: Finder
  readonly searchState: SearchState
  readonly onMatch: (match: SearchMatch | null) => void
}

/** Replaces one match or all at once; the new text keeps the marks of the match. */
export function ReplaceField({
  opened,
  finder,
  searchState: { matches, query },
  onMatch,
}: ReplaceFieldProps) {
  const [replacement, setReplacement] = useState('')
  const undo = undoOf(opened)
  const hasNoMatches = matches.length === 0
  const replaceOne = (event: FormEvent) => {
    event.preventDefault()
    if (!hasNoMatches)
      void undo.runAsStep(findStrings.replace.replaced(1), () => finder.replace(replacement)).then(onMatch)
  }
  const replaceAll = () => {
    if (hasNoMatches) return
    const replaced = findStrings.replace.replaced(matches.length)
    const { takeBack } = runUndoable(undo, replaced, () => finder.replaceAll(replacement))
    toast(replaced, { action: { label: panelFramesStrings.undo, onClick: takeBack } })
  }
  return (
    <form onSubmit={replaceOne} className="flex flex-col gap-2">
      <input
        type="text"
        aria-label={findStrings.replace.field}
        placeholder={findStrings.replace.field}
        autoComplete="off"
        title={query.regularExpression ? findStrings.replace.hint : undefined}
        value={replacement}
        onChange={(event) => setReplacement(event.target.value)}
        className={fieldClass}
      />
      <div className="flex gap-1.5">
        {/* `disabled` would take the focus from the button just after it was pressed. */}
        <Button type="submit" shape="small" aria-disabled={hasNoMatches}>
          {findStrings.replace.one}
        </Button>
        <Button shape="small" aria-disabled={hasNoMatches} onClick={replaceAll}>
          {findStrings.replace.all}
        </Button>
      </div>
    </form>
  )
}
