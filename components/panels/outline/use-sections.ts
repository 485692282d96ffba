'use client'

import { useEffect, useRef, useState, type RefObject } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Heading, sectionAt } from '@/lib/text/headings.ts'
import { canShift, moveSection, placeAbove, placeBelow, shiftSection } from '@/lib/text/move-section.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { undoOf } from '@/components/undo/undo-of'
import { textOf } from '../use-tree'
import type { Step } from './steps.ts'

export interface Sections {
  can(heading: Heading, step: Step): boolean
  step(heading: Heading, step: Step): void
  /** Before the top block at `before`. */
  move(heading: Heading, before: number): void
  /** What was done last, for those who do not see it. */
  readonly said: string
}

/** Moves sections, and keeps the keyboard on the heading that was moved, which may be another element then. */
export function useSections(
  opened: OpenDocument,
  list: RefObject<HTMLElement | null>,
  headings: readonly Heading[],
): Sections {
  const [said, setSaid] = useState('')
  const text = textOf(opened)
  const follow = useFocusOn(list, headings)

  const move = (heading: Heading, before: number): void => {
    const blocks = treeOf(text)
    const index = indexNow(heading)
    if (index === null) return
    const now = undoOf(opened).run(`“${nameOf(heading)}” moved`, () =>
      moveSection(text, sectionAt(blocks, index), before, null),
    )
    if (now === index) return
    follow(now)
    setSaid(`${nameOf(heading)} moved ${now < index ? 'up' : 'down'}`)
  }

  const shift = (heading: Heading, by: number): void => {
    const index = indexNow(heading)
    if (index === null) return
    undoOf(opened).run(`“${nameOf(heading)}” at another level`, () => shiftSection(text, index, by, null))
    follow(index)
    setSaid(`${nameOf(heading)} is at level ${heading.level + by}`)
  }

  /** Others may have edited since the latest frame. */
  const indexNow = ({ block }: Heading): number | null => {
    const index = treeOf(text).findIndex(({ type }) => type === block.type)
    return index < 0 ? null : index
  }

  const placeOf = (heading: Heading, step: 'up' | 'down'): number | null => {
    const index = indexNow(heading)
    return index === null ? null : (step === 'up' ? placeAbove : placeBelow)(treeOf(text), index)
  }

  const can = (heading: Heading, step: Step): boolean => {
    const index = indexNow(heading)
    if (index === null) return false
    if (step === 'up' || step === 'down') return placeOf(heading, step) !== null
    return canShift(treeOf(text), index, levelsOf[step])
  }

  return {
    said,
    can,
    move,
    step(heading, step) {
      if (!can(heading, step)) return
      if (step === 'up' || step === 'down') move(heading, placeOf(heading, step)!)
      else shift(heading, levelsOf[step])
    },
  }
}

const levelsOf = { higher: -1, lower: 1 } as const

export const nameOf = ({ text }: Pick<Heading, 'text'>): string => text || 'Heading without text'

/** Gives the keyboard to the heading at a top block, once it is on screen there. */
function useFocusOn(
  list: RefObject<HTMLElement | null>,
  headings: readonly Heading[],
): (index: number) => void {
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    const row = headings.findIndex(({ index }) => index === wanted.current)
    // Whether it is there or others moved it meanwhile: later the keyboard may be needed elsewhere.
    wanted.current = null
    if (row < 0) return
    list.current?.querySelectorAll<HTMLElement>('[data-row] [data-go]')[row]?.focus()
  }, [headings, list])
  return (index) => {
    wanted.current = index
  }
}
