import { dayOf, shownDay } from '@/lib/blocks/date/date.ts'
import { datesStrings } from '@/lib/strings/dates.ts'
import type { ReadingView } from '../reading-view.ts'

export const DateReadingView: ReadingView = ({ block, elementRef }) => {
  const day = dayOf(block.attributes)
  return (
    <time ref={elementRef} className="date" dateTime={day ?? undefined}>
      {day === null ? datesStrings.none : shownDay(day)}
    </time>
  )
}
