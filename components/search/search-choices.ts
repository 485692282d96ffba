/** In which documents a search looks, and what comes first. */
export interface SearchChoices {
  readonly place: 'all' | 'owned' | 'shared' | 'favourites'
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
    filter: place,
    sort,
    ...(days !== null && { editedSince: new Date(now - days * 24 * 60 * 60 * 1000).toISOString() }),
  }
}
