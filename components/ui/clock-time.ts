/** For example "14:03:07", in every list of events: on a 24-hour clock, with the same width in each line. */
export const clockTime = (at: Date): string => at.toLocaleTimeString('en-GB')
