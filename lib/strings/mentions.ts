/** Mentions of people and documents. */
export const mentionsStrings = {
  unknown: 'somebody',
} as const
