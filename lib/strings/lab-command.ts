/** The way to the lab. Every page loads it; the strings of the lab come with its pages. */
export const labCommandStrings = {
  title: 'Measure my windows in the lab',
  words: 'latency delay benchmark keystrokes dashboard transport compare',
} as const
