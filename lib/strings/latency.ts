/** The button and command of the latency overlay use these. Every document loads them; the overlay's own strings come with the overlay. */
export const latencyStrings = {
  button: 'Latency',
  hint: 'How long your edits take to arrive',
  switch: 'Latency overlay',
  command: {
    show: 'Show the latency overlay',
    hide: 'Hide the latency overlay',
    words: 'delay speed round trip measure milliseconds',
  },
} as const
