/** The blocks that look otherwise to read than to write. All others are drawn as the schema draws them. */
import { codeBlock } from '@/lib/blocks/code-block/code-block.ts'
import { date } from '@/lib/blocks/date/date.ts'
import { fileCard } from '@/lib/blocks/file-card/file-card.ts'
import { heading } from '@/lib/blocks/heading/heading.ts'
import { blockMath, inlineMath } from '@/lib/blocks/math/math.ts'
import { mention } from '@/lib/blocks/mention/mention.ts'
import { paragraph } from '@/lib/blocks/paragraph/paragraph.ts'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { tableOfContents } from '@/lib/blocks/table-of-contents/table-of-contents.ts'
import { taskItem } from '@/lib/blocks/task-list/task-list.ts'
import { CodeBlockReadingView } from './code-block/code-block-reading-view.tsx'
import { DateReadingView } from './date/date-reading-view.tsx'
import { FileCardReadingView } from './file-card/file-card-reading-view.tsx'
import { HeadingReadingView } from './heading/heading-reading-view.tsx'
import { MathReadingView } from './math/math-reading-view.tsx'
import { MentionReadingView } from './mention/mention-reading-view.tsx'
import { ParagraphReadingView } from './paragraph/paragraph-reading-view.tsx'
import { PictureReadingView } from './picture/picture-reading-view.tsx'
import type { ReadingView } from './reading-view.ts'
import { ContentsReadingView } from './table-of-contents/contents-reading-view.tsx'
import { TaskItemReadingView } from './task-list/task-item-reading-view.tsx'

export const readingViews: ReadonlyMap<string, ReadingView> = new Map([
  [codeBlock.name, CodeBlockReadingView],
  [date.name, DateReadingView],
  [fileCard.name, FileCardReadingView],
  [heading.name, HeadingReadingView],
  [inlineMath.name, MathReadingView],
  [blockMath.name, MathReadingView],
  [mention.name, MentionReadingView],
  [paragraph.name, ParagraphReadingView],
  [picture.name, PictureReadingView],
  [tableOfContents.name, ContentsReadingView],
  [taskItem.name, TaskItemReadingView],
])
