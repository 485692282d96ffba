'use client'

import { useContext, useEffect, useState } from 'react'
import type * as Y from 'yjs'
import { type Place, placeOf, type Spot } from '@/lib/following/spot.ts'
import { lettersIn, linesOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { FollowingContext } from '@/components/following/context'

/** The letters that are selected in this window, or in one that it moves along with; '' where none are. */
export function useSelectedText(): string {
  const here = useContext(FollowingContext)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!here) return
    // A surface that shows no text, and only hears what is selected.
    const { remove } = here.following.add({
      look: () => null,
      show: () => false,
      mark: (selection) => setText(selection ? lettersOf(here.fragment, selection) : ''),
    })
    return remove
  }, [here])
  return text
}

function lettersOf(fragment: Y.XmlFragment, { at, to = at }: Spot): string {
  const lines = linesOf(treeOf(fragment))
  const lineOf = (place: Place | null) =>
    place && 'toDelta' in place.type ? lines.find({ type: place.type, index: place.index }) : null
  const [from, end] = [lineOf(placeOf(fragment, at)), lineOf(placeOf(fragment, to))]
  return from && end ? lettersIn(lines, { from, to: end }) : ''
}
