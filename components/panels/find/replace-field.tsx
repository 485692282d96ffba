'use client'

import { useState, type FormEvent } from 'react'
import { toast } from '@/components/ui/toast'
import type { OpenDocument } from '@/lib/client.ts'
import type { Match } from '@/lib/text/find.ts'
import type { Finder, Finding } from '@/lib/text/finder.ts'
import { Button } from '@/components/ui/button'
import { runUndoable } from '@/components/undo/run-undoable'
import { undoOf } from '@/components/undo/undo-of'
import { fieldClass } from './field'
import { strings } from '@/lib/strings/find.ts'
import { strings as panelStrings } from '@/lib/strings/panels.ts'

interface ReplaceFieldProps {
  readonly opened: OpenDocument
  readonly finder: Finder
  readonly finding: Finding
  readonly onFound: (match: Match | null) => void
}

/** What takes the place of a match, with its marks: of one, or of all at once. */
export function ReplaceField({ opened, finder, finding: { matches, query }, onFound }: ReplaceFieldProps) {
  const [by, setBy] = useState('')
  const undo = undoOf(opened)
  const nothing = matches.length === 0
  const replaceOne = (event: FormEvent) => {
    event.preventDefault()
    if (!nothing) void undo.run(strings.replace.replaced(1), () => finder.replace(by)).then(onFound)
  }
  const replaceAll = () => {
    if (nothing) return
    const replaced = strings.replace.replaced(matches.length)
    const { takeBack } = runUndoable(undo, replaced, () => finder.replaceAll(by))
    toast(replaced, { action: { label: panelStrings.undo, onClick: takeBack } })
  }
  return (
    <form onSubmit={replaceOne} className="flex flex-col gap-2">
      <input
        type="text"
        aria-label={strings.replace.field}
        placeholder={strings.replace.field}
        autoComplete="off"
        title={query.regularExpression ? strings.replace.hint : undefined}
        value={by}
        onChange={(event) => setBy(event.target.value)}
        className={fieldClass}
      />
      <div className="flex gap-1.5">
        {/* `disabled` would take the keyboard from whoever has just pressed it. */}
        <Button type="submit" shape="small" aria-disabled={nothing}>
          {strings.replace.one}
        </Button>
        <Button shape="small" aria-disabled={nothing} onClick={replaceAll}>
          {strings.replace.all}
        </Button>
      </div>
    </form>
  )
}
