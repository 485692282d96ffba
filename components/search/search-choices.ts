/** In which documents a search looks, and what comes first. */
export interface SearchChoices {
  /** A folder of one's own is `folder:` and its id. */
  readonly place: 'all' | 'owned' | 'shared' | 'favourites' | `folder:${string}`
  readonly edited: EditedChoice
  readonly sort: 'best' | 'edited'
}

/** In days; null for any time. */
const editedDays = { any: null, week: 7, month: 31, year: 366 } as const
export type EditedChoice = keyof typeof editedDays

export const allDocuments: SearchChoices = { place: 'all', edited: 'any', sort: 'best' }

/** What the API is asked for by them. */
export function searchParametersOf({ place, edited, sort }: SearchChoices, now: number) {
  const days = editedDays[edited]
  return {
    ...(isFolder(place) ? { filter: 'all' as const, folder: place.slice(FOLDER.length) } : { filter: place }),
    sort,
    ...(days !== null && { editedSince: new Date(now - days * 24 * 60 * 60 * 1000).toISOString() }),
  }
}

const FOLDER = 'folder:'

const isFolder = (place: SearchChoices['place']): place is `folder:${string}` => place.startsWith(FOLDER)
