import { createElement, memo } from 'react'
import { definitionOf, marks } from '@/lib/blocks/blocks.ts'
import { drawBlock } from '@/lib/blocks/draw.ts'
import { isTextBlock } from '@/lib/text/plain-text.ts'
import { type Block, isTextNode, nodeMarksOf, type TreeNode } from '@/lib/text/tree.ts'
import { MarkedLetters } from '@/components/blocks/marked-letters.tsx'
import { ParagraphReadingView } from '@/components/blocks/paragraph/paragraph-reading-view.tsx'
import type { ReadingView } from '@/components/blocks/reading-view.ts'
import { readingViews } from '@/components/blocks/reading-views.ts'
import { SpecElement } from '@/components/blocks/spec-element.tsx'
import type { TextElementMap } from '@/components/following/text-element-map.ts'
import { TextRuns } from './text-runs.tsx'

interface ReadOnlyBlockProps {
  readonly block: Block
  readonly map: TextElementMap
}

/** A read-only block, redrawn when it changed. */
export const ReadOnlyBlock = memo(function ReadOnlyBlock({ block, map }: ReadOnlyBlockProps) {
  return createElement(
    readingViews.get(block.name) ?? DrawnBlock,
    { block, elementRef: map.ref(block.type) },
    <BlockChildren nodes={block.children} map={map} />,
  )
})

const BlockChildren = ({ nodes, map }: { nodes: readonly TreeNode[]; map: TextElementMap }) =>
  nodes.map((node) =>
    isTextNode(node) ? (
      <TextRuns key={node.id} runs={node.runs} />
    ) : (
      <MarkedLetters
        key={node.id}
        run={{ text: <ReadOnlyBlock block={node} map={map} />, marks: nodeMarksOf(node) }}
        shown={marks}
      />
    ),
  )

/** Looks as in the editor. Of a block that only a newer page knows the content can be read. */
const DrawnBlock: ReadingView = ({ block, elementRef, children }) => {
  const definition = definitionOf(block.name)
  if (definition)
    return (
      <SpecElement spec={drawBlock(definition, block.attributes)} elementRef={elementRef}>
        {children}
      </SpecElement>
    )
  if (!isTextBlock(block)) return <div ref={elementRef}>{children}</div>
  return (
    <ParagraphReadingView block={block} elementRef={elementRef}>
      {children}
    </ParagraphReadingView>
  )
}
