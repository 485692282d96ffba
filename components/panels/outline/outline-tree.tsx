import type { ReactNode } from 'react'
import type { OutlineNode, Heading } from '@/lib/text/headings.ts'

interface OutlineTreeProps {
  readonly branches: readonly OutlineNode[]
  readonly depth?: number
  readonly row: (heading: Heading, depth: number) => ReactNode
}

/** Nests lists as the headings are nested. */
export const OutlineTree = ({ branches: nodes, depth = 0, row: renderRow }: OutlineTreeProps) => (
  <ol>
    {nodes.map(({ heading, children }) => (
      <li key={heading.block.id}>
        {renderRow(heading, depth)}
        {children.length > 0 && <OutlineTree branches={children} depth={depth + 1} row={renderRow} />}
      </li>
    ))}
  </ol>
)
