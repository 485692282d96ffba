/** What a window looks at, in the form that other windows receive. */
import { isRecord } from '../protocol/value-reader.ts'
import { readTextPosition, type TextPosition } from './text-position.ts'

export interface WindowView {
  /** The position at the top of the window, or the target of a jump. */
  readonly top: TextPosition
  /** The heading of the section that is looked at. */
  readonly heading?: TextPosition
  /** What is selected there, unless that is only a caret. */
  readonly selection?: TextPosition
  /** The position was jumped to: it stands within the window, with some text above it, rather than at its top. */
  readonly within?: true
  /** A person asked to go there: windows that follow go there, though this one is not linked. */
  readonly go?: true
  /** Higher than that of every view this window had received: of two views, the one that knew of the other is later. */
  readonly n: number
}

export function readWindowView(value: unknown): WindowView | undefined {
  if (!isRecord(value)) return undefined
  const top = readTextPosition(value.top)
  if (!top || !Number.isSafeInteger(value.n)) return undefined
  const heading = readTextPosition(value.heading)
  const selection = readTextPosition(value.selection)
  return {
    top,
    n: value.n as number,
    ...(heading && { heading }),
    ...(selection && { selection }),
    ...(value.within === true && { within: true }),
    ...(value.go === true && { go: true }),
  }
}
