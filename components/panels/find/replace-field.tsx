'use client'

import { useState, type FormEvent } from 'react'
import { toast } from '@/components/ui/toast'
import type { Match } from '@/lib/text/find.ts'
import type { Finder, Finding } from '@/lib/text/finder.ts'
import { Button } from '@/components/ui/button'
import { fieldClass } from './field'

interface ReplaceFieldProps {
  readonly finder: Finder
  readonly finding: Finding
  readonly onFound: (match: Match | null) => void
}

/** What takes the place of a match, with its marks: of one, or of all at once. */
export function ReplaceField({ finder, finding: { matches, query }, onFound }: ReplaceFieldProps) {
  const [by, setBy] = useState('')
  const nothing = matches.length === 0
  const replaceOne = (event: FormEvent) => {
    event.preventDefault()
    if (!nothing) void finder.replace(by).then(onFound)
  }
  const replaceAll = () => {
    const count = finder.replaceAll(by)
    toast(count === 1 ? 'One place was replaced.' : `${count.toLocaleString('en')} places were replaced.`)
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
        <Button type="submit" shape="small" disabled={nothing}>
          Replace
        </Button>
        <Button shape="small" disabled={nothing} onClick={replaceAll}>
          Replace all
        </Button>
      </div>
    </form>
  )
}
