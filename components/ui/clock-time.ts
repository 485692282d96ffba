/** "14:03:07", in every list of things that happened: by a clock of 24 hours, as wide in each line. */
export const clockTime = (at: Date): string => at.toLocaleTimeString('en-GB')
