import type { ReactNode } from 'react'
import type { Branch, Heading } from '@/lib/text/headings.ts'

interface BranchesProps {
  readonly branches: readonly Branch[]
  readonly depth?: number
  readonly row: (heading: Heading, depth: number) => ReactNode
}

/** Lists within lists, as the headings stand under each other. */
export const Branches = ({ branches, depth = 0, row }: BranchesProps) => (
  <ol>
    {branches.map(({ heading, children }) => (
      <li key={heading.block.id}>
        {row(heading, depth)}
        {children.length > 0 && <Branches branches={children} depth={depth + 1} row={row} />}
      </li>
    ))}
  </ol>
)
