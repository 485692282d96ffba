import { alignmentFields } from '@/lib/blocks/alignment.ts'
import { headingLevelOf } from '@/lib/blocks/heading/heading.ts'
import { ownDirection } from '@/lib/blocks/own-direction.ts'
import type { ReadingView } from '../reading-view.ts'

/** One level lower than in the text, because the page's only h1 is its title. */
export const HeadingReadingView: ReadingView = ({ block, elementRef, children }) => {
  const level = headingLevelOf(block.attributes)
  const Tag = `h${Math.min(level + 1, 6)}` as 'h2'
  return (
    <Tag
      ref={elementRef}
      {...ownDirection}
      {...alignmentFields(block.attributes)}
      className={`level-${Math.min(level, 4)}`}
    >
      {children}
    </Tag>
  )
}
