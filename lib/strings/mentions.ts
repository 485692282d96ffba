/** Mentions of people and documents. */
export const strings = {
  unknown: 'somebody',
} as const
