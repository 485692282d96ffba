/** What stands around a paragraph of Word, and how its lines are set. */
import { AlignmentType, type IParagraphOptions } from 'docx'
import { alignmentOf } from '../../blocks/alignment.ts'
import type { Block } from '../../text/tree.ts'

/** What stands around a paragraph. */
export interface DocxPlace {
  /** In twentieths of a point. */
  readonly indent: number
  /** How many lists stand around it. */
  readonly depth: number
  /** The bar at the start of a quote or callout, in hexadecimal. */
  readonly bar?: string
  readonly fill?: string
  /** Of plain paragraphs. */
  readonly style?: string
  /** How wide it may be, in pixels. */
  readonly width: number
}

export const INDENT = 567

const alignments = {
  center: AlignmentType.CENTER,
  end: AlignmentType.END,
  justify: AlignmentType.JUSTIFIED,
} as const

export function alignmentFields({ attributes }: Block): Pick<IParagraphOptions, 'alignment'> {
  const align = alignmentOf(attributes)
  return align === null ? {} : { alignment: alignments[align] }
}
