'use client'

import { useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type OutlineNode, outlineOf, type Heading, headingsOf } from '@/lib/text/headings.ts'
import type { Block } from '@/lib/text/tree.ts'
import { useTextTree } from '@/components/binding/use-text-tree.ts'

interface DocumentOutline {
  readonly headings: readonly Heading[]
  readonly nodes: readonly OutlineNode[]
}

/** Returns the same object while no heading changes, whatever is typed between headings. */
export function useOutline(opened: OpenDocument): DocumentOutline {
  const [read] = useState(createOutlineReader)
  return useTextTree(opened, read)
}

function createOutlineReader(): (blocks: readonly Block[]) => DocumentOutline {
  let formerBlocks: readonly Block[] | undefined
  let outline: DocumentOutline = { headings: [], nodes: [] }
  return (blocks) => {
    if (blocks === formerBlocks) return outline
    formerBlocks = blocks
    const headings = headingsOf(blocks)
    if (!areSameHeadings(headings, outline.headings)) outline = { headings, nodes: outlineOf(headings) }
    return outline
  }
}

const areSameHeadings = (a: readonly Heading[], b: readonly Heading[]): boolean =>
  a.length === b.length && a.every((heading, at) => heading === b[at])
