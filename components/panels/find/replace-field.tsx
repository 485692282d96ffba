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
    if (!nothing) void undo.run('1 match replaced', () => finder.replace(by)).then(onFound)
  }
  const replaceAll = () => {
    if (nothing) return
    const count = matches.length.toLocaleString('en')
    const replaced = `${count} ${matches.length === 1 ? 'match' : 'matches'} replaced`
    const { takeBack } = runUndoable(undo, replaced, () => finder.replaceAll(by))
    toast(replaced, { action: { label: 'Undo', onClick: takeBack } })
  }
  return (
    <form onSubmit={replaceOne} className="flex flex-col gap-2">
      <input
        type="text"
        aria-label="Replace with"
        placeholder="Replace with"
        autoComplete="off"
        title={query.regularExpression ? '$1, $<name> and $& stand for what was found' : undefined}
        value={by}
        onChange={(event) => setBy(event.target.value)}
        className={fieldClass}
      />
      <div className="flex gap-1.5">
        {/* `disabled` would take the keyboard from whoever has just pressed it. */}
        <Button type="submit" shape="small" aria-disabled={nothing}>
          Replace
        </Button>
        <Button shape="small" aria-disabled={nothing} onClick={replaceAll}>
          Replace all
        </Button>
      </div>
    </form>
  )
}
