/** The blocks that look otherwise to read than to write. All others are drawn as the schema draws them. */
import { heading } from '@/lib/blocks/heading/heading.ts'
import { paragraph } from '@/lib/blocks/paragraph/paragraph.ts'
import { taskItem } from '@/lib/blocks/task-list/task-list.ts'
import { HeadingReadingView } from './heading/heading-reading-view.tsx'
import { ParagraphReadingView } from './paragraph/paragraph-reading-view.tsx'
import type { ReadingView } from './reading-view.ts'
import { TaskItemReadingView } from './task-list/task-item-reading-view.tsx'

export const readingViews: ReadonlyMap<string, ReadingView> = new Map([
  [heading.name, HeadingReadingView],
  [paragraph.name, ParagraphReadingView],
  [taskItem.name, TaskItemReadingView],
])
