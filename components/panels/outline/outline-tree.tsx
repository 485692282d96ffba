import type { ReactNode } from 'react'
import type { OutlineNode, Heading } from '@/lib/text/headings.ts'

interface OutlineTreeProps {
  readonly nodes: readonly OutlineNode[]
  readonly depth?: number
  readonly renderRow: (heading: Heading, depth: number) => ReactNode
}

/** Nests lists as the headings are nested. */
export const OutlineTree = ({ nodes, depth = 0, renderRow }: OutlineTreeProps) => (
  <ol>
    {nodes.map(({ heading, children }) => (
      <li key={heading.block.id}>
        {renderRow(heading, depth)}
        {children.length > 0 && <OutlineTree nodes={children} depth={depth + 1} renderRow={renderRow} />}
      </li>
    ))}
  </ol>
)
