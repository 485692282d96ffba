'use client'

import { useEffect, useRef, useState, type RefObject } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Heading } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { textFragmentOf } from '@/components/binding/use-text-tree.ts'
import {
  canMoveSection,
  moveSectionBefore,
  moveSectionByAction,
  type MovedSection,
} from '@/components/editor/sections/section-moves.ts'
import type { SectionAction } from '@/components/editor/sections/section-actions.ts'

export interface SectionMoves {
  canMove(heading: Heading, step: SectionAction): boolean
  moveByAction(heading: Heading, step: SectionAction): void
  /** Moves the section before the top-level block at index `before`. */
  moveBefore(heading: Heading, before: number): void
  /** Announces the last move to screen readers. */
  readonly announcement: string
}

/** Moves sections and keeps the focus on the moved heading, which may be another element then. */
export function useSectionMoves(
  opened: OpenDocument,
  list: RefObject<HTMLElement | null>,
  headings: readonly Heading[],
): SectionMoves {
  const [announcement, setAnnouncement] = useState('')
  const focusHeadingAt = useHeadingFocus(list, headings)
  // No toast, because it would cover the rows that are moved next.
  const onMoved = (moved: MovedSection | null): void => {
    if (!moved) return
    focusHeadingAt(moved.index)
    setAnnouncement(moved.announcement)
  }

  /** Other people may have edited since the latest frame. */
  const currentIndexOf = ({ block }: Heading): number | null => {
    const index = treeOf(textFragmentOf(opened)).findIndex(({ type }) => type === block.type)
    return index < 0 ? null : index
  }

  return {
    announcement,
    canMove(heading, step) {
      const index = currentIndexOf(heading)
      return index !== null && canMoveSection(opened, index, step)
    },
    moveBefore(heading, before) {
      const index = currentIndexOf(heading)
      if (index !== null) onMoved(moveSectionBefore(opened, heading, index, before))
    },
    moveByAction(heading, step) {
      const index = currentIndexOf(heading)
      if (index !== null) onMoved(moveSectionByAction(opened, heading, index, step))
    },
  }
}

/** Focuses the heading of a top-level block once it is on screen there. */
function useHeadingFocus(
  list: RefObject<HTMLElement | null>,
  headings: readonly Heading[],
): (index: number) => void {
  const wantedIndex = useRef<number | null>(null)
  useEffect(() => {
    const row = headings.findIndex(({ index }) => index === wantedIndex.current)
    // Done, whether the heading is there or somebody moved it meanwhile: later the focus may be needed elsewhere.
    wantedIndex.current = null
    if (row < 0) return
    list.current?.querySelectorAll<HTMLElement>('[data-row] [data-go]')[row]?.focus()
  }, [headings, list])
  return (index) => {
    wantedIndex.current = index
  }
}
