import type { ReactNode } from 'react'
import { isHiddenMark } from '@/lib/blocks/blocks.ts'
import type { MarkDefinition, StoredAttributes } from '@/lib/blocks/definitions.ts'
import { drawMark } from '@/lib/blocks/draw.ts'
import type { TextMarks } from '@/lib/text/tree.ts'
import { SpecElement } from './spec-element.tsx'

interface MarkedLettersProps {
  /** Letters, or what stands among them. */
  readonly run: { readonly text: ReactNode; readonly marks: TextMarks }
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
