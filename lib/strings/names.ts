/** How people are named, and which names they may give themselves. */
export const namesStrings = {
  somebody: 'Someone',
  guest: 'Guest',
  byLink: {
    mark: ' (by link)',
    hint: 'Joined by a link. The name is not verified.',
  },
  problem: {
    unreadable: 'A name has no control characters and no invisible ones.',
    noLetter: 'A name needs at least one letter.',
    tooLong: (limit: number, length: number) =>
      `A name has at most ${limit} characters; this one has ${length}.`,
  },
} as const
