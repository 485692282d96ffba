/** What a window looks at, as the others hear of it. */
import { readTextPosition, type TextPosition } from './text-position.ts'

export interface WindowView {
  /** What stands at the top of the window, or was gone to. */
  readonly top: TextPosition
  /** The heading of the section that is looked at. */
  readonly heading?: TextPosition
  /** What is selected there, unless that is a mere caret. */
  readonly selection?: TextPosition
  /** It was gone to: it stands within the window, with some text above it, rather than at its top. */
  readonly within?: true
  /** Somebody asked to go there: windows go that follow, though this one does not lead. */
  readonly go?: true
  /** Higher than that of every view its window had heard of: of two views the one that knew of the other is the later. */
  readonly n: number
}

export function readWindowView(value: unknown): WindowView | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Record<string, unknown>
  const top = readTextPosition(fields.top)
  if (!top || !Number.isSafeInteger(fields.n)) return undefined
  const heading = readTextPosition(fields.heading)
  const selection = readTextPosition(fields.selection)
  return {
    top,
    n: fields.n as number,
    ...(heading && { heading }),
    ...(selection && { selection }),
    ...(fields.within === true && { within: true }),
    ...(fields.go === true && { go: true }),
  }
}
