import type { ReactNode } from 'react'
import { isHiddenMark } from '@/lib/blocks/blocks.ts'
import type { MarkDefinition, StoredAttributes } from '@/lib/blocks/definitions.ts'
import { drawMark } from '@/lib/blocks/draw.ts'
import type { TextRun } from '@/lib/text/tree.ts'
import { SpecElement } from './spec-element.tsx'

interface MarkedLettersProps {
  readonly run: TextRun
  /** Draws these marks alone, whatever other people stored, from the outermost to the innermost. */
  readonly shown: readonly MarkDefinition[]
}

export const MarkedLetters = ({ run: { text, marks }, shown }: MarkedLettersProps): ReactNode =>
  shown
    .filter(({ name }) => name in marks && !isHiddenMark(name, Object.keys(marks)))
    .reduceRight<ReactNode>(
      (inner, mark) => <SpecElement spec={drawMark(mark, recordOf(marks[mark.name]))}>{inner}</SpecElement>,
      text,
    )

/** Another program may write anything as the attributes of a mark. */
const recordOf = (value: unknown): StoredAttributes =>
  typeof value === 'object' && value !== null ? (value as StoredAttributes) : {}
