import { Fragment } from 'react'
import type { TextRun } from '@/lib/text/tree.ts'
import { marks } from '@/lib/blocks/blocks.ts'
import { MarkedLetters } from '@/components/blocks/marked-letters.tsx'

/** Text with its marks. */
export const TextRuns = ({ runs }: { runs: readonly TextRun[] }) =>
  runs.map((run, at) => (
    <Fragment key={at}>
      <MarkedLetters run={run} shown={marks} />
    </Fragment>
  ))
