import { type ColourName, colourNames, palette } from '@/lib/protocol/palette.ts'
import { coloursOfOtherPeople, ownColour } from '@/components/editor/person-colours'
import { listOpenDocuments } from '@/components/editor/open-documents'

interface ColoursHere {
  /** What this person is shown in; null where no document is open. */
  readonly own: ColourName | null
  /** What nobody else is shown in, in any document that this page has open: all of them where there are more people than colours. */
  readonly free: readonly ColourName[]
}

export function coloursHere(): ColoursHere {
  const opened = [...listOpenDocuments()]
  const taken = new Set(opened.flatMap(({ awareness }) => [...coloursOfOtherPeople(awareness)]))
  const free = colourNames.filter((colour) => !taken.has(palette[colour]))
  const [first] = opened
  const shown = first && ownColour(first.awareness)
  return {
    own: colourNames.find((colour) => palette[colour] === shown) ?? null,
    free: free.length > 0 ? free : colourNames,
  }
}
