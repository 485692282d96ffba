'use client'

import { useEffect, useRef, useState, type RefObject } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Heading } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { textOf } from '../use-tree'
import { canStep, moveTo, stepSection, type MovedSection } from './move'
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
  const follow = useFocusOn(list, headings)
  // No toast: it would lie over the rows that are moved next.
  const tell = (moved: MovedSection | null): void => {
    if (!moved) return
    follow(moved.index)
    setSaid(moved.said)
  }

  /** Others may have edited since the latest frame. */
  const indexNow = ({ block }: Heading): number | null => {
    const index = treeOf(textOf(opened)).findIndex(({ type }) => type === block.type)
    return index < 0 ? null : index
  }

  return {
    said,
    can(heading, step) {
      const index = indexNow(heading)
      return index !== null && canStep(opened, index, step)
    },
    move(heading, before) {
      const index = indexNow(heading)
      if (index !== null) tell(moveTo(opened, heading, index, before))
    },
    step(heading, step) {
      const index = indexNow(heading)
      if (index !== null) tell(stepSection(opened, heading, index, step))
    },
  }
}

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
