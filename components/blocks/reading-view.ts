import type { ComponentType, ReactNode, RefCallback } from 'react'
import type { Block } from '@/lib/text/tree.ts'

interface ReadingViewProps {
  readonly block: Block
  /** Called with the element that shows the block. */
  readonly elementRef: RefCallback<Element>
  readonly children?: ReactNode
}

/** A block where nobody writes. */
export type ReadingView = ComponentType<ReadingViewProps>
