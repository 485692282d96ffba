import { ownDirection } from '@/lib/blocks/own-direction.ts'
import { isTaskDone } from '@/lib/blocks/task-list/is-task-done.ts'
import { blockTextOf } from '@/lib/text/plain-text.ts'
import { previewStrings } from '@/lib/strings/preview.ts'
import type { ReadingView } from '../reading-view.ts'

export const TaskItemReadingView: ReadingView = ({ block, elementRef, children }) => {
  const isDone = isTaskDone(block.attributes)
  return (
    <li {...ownDirection} data-checked={isDone}>
      <label>
        <input
          type="checkbox"
          checked={isDone}
          disabled
          aria-label={blockTextOf(block) || previewStrings.emptyTask}
        />
      </label>
      <div ref={elementRef}>{children}</div>
    </li>
  )
}
