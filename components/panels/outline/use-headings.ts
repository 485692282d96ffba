'use client'

import { useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Branch, branchesOf, type Heading, headingsOf } from '@/lib/text/headings.ts'
import type { Block } from '@/lib/text/tree.ts'
import { useTree } from '../use-tree'

interface Outline {
  readonly headings: readonly Heading[]
  readonly branches: readonly Branch[]
}

/** The same object while no heading changes, whatever is typed between them. */
export function useOutline(opened: OpenDocument): Outline {
  const [read] = useState(steadily)
  return useTree(opened, read)
}

function steadily(): (blocks: readonly Block[]) => Outline {
  let from: readonly Block[] | undefined
  let outline: Outline = { headings: [], branches: [] }
  return (blocks) => {
    if (blocks === from) return outline
    from = blocks
    const headings = headingsOf(blocks)
    if (!areSame(headings, outline.headings)) outline = { headings, branches: branchesOf(headings) }
    return outline
  }
}

const areSame = (some: readonly Heading[], others: readonly Heading[]): boolean =>
  some.length === others.length && some.every((heading, at) => heading === others[at])
