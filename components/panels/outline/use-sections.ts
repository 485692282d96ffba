'use client'

import { useEffect, useRef, type RefObject } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Heading } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { textOf } from '../use-tree'
import { canStep, moveTo, stepSection } from './move'
import type { Step } from './steps.ts'

export interface Sections {
  can(heading: Heading, step: Step): boolean
  step(heading: Heading, step: Step): void
  /** Before the top block at `before`. */
  move(heading: Heading, before: number): void
}

/** Moves sections, and keeps the keyboard on the heading that was moved, which may be another element then. */
export function useSections(
  opened: OpenDocument,
  list: RefObject<HTMLElement | null>,
  headings: readonly Heading[],
): Sections {
  const follow = useFocusOn(list, headings)

  /** Others may have edited since the latest frame. */
  const indexNow = ({ block }: Heading): number | null => {
    const index = treeOf(textOf(opened)).findIndex(({ type }) => type === block.type)
    return index < 0 ? null : index
  }

  return {
    can(heading, step) {
      const index = indexNow(heading)
      return index !== null && canStep(opened, index, step)
    },
    move(heading, before) {
      const index = indexNow(heading)
      const now = index === null ? null : moveTo(opened, heading, index, before)
      if (now !== null) follow(now)
    },
    step(heading, step) {
      const index = indexNow(heading)
      const now = index === null ? null : stepSection(opened, heading, index, step)
      if (now !== null) follow(now)
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
