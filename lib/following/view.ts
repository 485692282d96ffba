/** What a window looks at, as the others hear of it. */
import { readSpot, type Spot } from './spot.ts'

export interface View {
  /** What stands at the top of the window, or was gone to. */
  readonly top: Spot
  /** The heading of the section that is looked at. */
  readonly heading?: Spot
  /** What is selected there, unless that is a mere caret. */
  readonly selection?: Spot
  /** It was gone to: it stands within the window, with some text above it, rather than at its top. */
  readonly within?: true
  /** Somebody asked to go there: windows go that follow, though this one does not lead. */
  readonly go?: true
  /** Higher than that of every view its window had heard of: of two views the one that knew of the other is the later. */
  readonly n: number
}

export function readView(value: unknown): View | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const said = value as Record<string, unknown>
  const top = readSpot(said.top)
  if (!top || !Number.isSafeInteger(said.n)) return undefined
  const heading = readSpot(said.heading)
  const selection = readSpot(said.selection)
  return {
    top,
    n: said.n as number,
    ...(heading && { heading }),
    ...(selection && { selection }),
    ...(said.within === true && { within: true }),
    ...(said.go === true && { go: true }),
  }
}
