import { alignmentFields } from '@/lib/blocks/alignment.ts'
import { blockTextOf } from '@/lib/text/plain-text.ts'
import type { ReadingView } from '../reading-view.ts'

/** An empty paragraph is as high as a line. */
export const ParagraphReadingView: ReadingView = ({ block, elementRef, children }) => (
  <p ref={elementRef} {...alignmentFields(block.attributes)}>
    {children}
    {blockTextOf(block) === '' && <br />}
  </p>
)
