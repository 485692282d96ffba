/**
 * How the lines of a paragraph or a heading are set. It is logical: in a language that is written from right to left they start at the
 * right. Markdown has no form for it, and leaves it out.
 */
import type { AttributeSpec } from 'prosemirror-model'
import type { StoredAttributes } from './definitions.ts'

/** Where lines start is stored as null. */
export const alignments = ['center', 'end', 'justify'] as const
export type Alignment = (typeof alignments)[number]

const isAlignment = (value: unknown): value is Alignment => alignments.includes(value as Alignment)

export const alignmentOf = ({ align }: StoredAttributes): Alignment | null =>
  isAlignment(align) ? align : null

export const alignmentAttribute: AttributeSpec = {
  default: null,
  validate(align: unknown) {
    if (align !== null && !isAlignment(align)) throw new RangeError('not an alignment')
  },
}

/** What the schema draws for it. */
export function alignmentFields(attributes: StoredAttributes): { readonly 'data-align'?: Alignment } {
  const align = alignmentOf(attributes)
  return align === null ? {} : { 'data-align': align }
}

/** Reads it from this program's HTML, and from the styles of others, which name sides. */
export function alignmentIn(element: HTMLElement): Alignment | null {
  const { align = element.style.textAlign || (element.getAttribute('align') ?? '') } = element.dataset
  const isFromRight = element.closest('[dir]')?.getAttribute('dir') === 'rtl'
  if (align === 'left' || align === 'right') return (align === 'right') === isFromRight ? null : 'end'
  return alignmentOf({ align })
}

const words: Readonly<Record<Alignment, string>> = {
  center: 'centered',
  end: 'aligned to the end',
  justify: 'justified',
}

/** For example "heading 2, centered". */
export function alignedKind(kind: string, attributes: StoredAttributes): string {
  const align = alignmentOf(attributes)
  return align === null ? kind : `${kind}, ${words[align]}`
}
