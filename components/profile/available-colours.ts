import { type ColourName, colourNames, palette } from '@/lib/protocol/palette.ts'
import { coloursOfOtherPeople, ownColour } from './person-colours.ts'
import { listOpenDocuments } from '@/components/open-documents.ts'

interface AvailableColours {
  /** This person's colour; null if no document is open. */
  readonly ownColourName: ColourName | null
  /** The colours of nobody else in any document that this page has open; all colours if there are more people than colours. */
  readonly freeColours: readonly ColourName[]
}

export function availableColours(): AvailableColours {
  const openDocuments = [...listOpenDocuments()]
  const takenColours = new Set(openDocuments.flatMap(({ awareness }) => [...coloursOfOtherPeople(awareness)]))
  const free = colourNames.filter((colour) => !takenColours.has(palette[colour]))
  const [first] = openDocuments
  const ownColourValue = first && ownColour(first.awareness)
  return {
    ownColourName: colourNames.find((colour) => palette[colour] === ownColourValue) ?? null,
    freeColours: free.length > 0 ? free : colourNames,
  }
}
