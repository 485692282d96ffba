/** Why a search found nothing. Apart from `find.ts`, since the editor loads the search and not its panel. */
export const findSearchStrings = {
  tooLong:
    'This expression takes too long here. Make it simpler: a repetition within a repetition is often why.',
  notLoaded: 'The search for regular expressions did not load. Try again in a moment.',
} as const
