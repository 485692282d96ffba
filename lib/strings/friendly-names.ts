/** The server names people who gave no name with these: `Quiet Otter`. It makes a link's name from them each time, so a change renames links. */
export const friendlyNamesStrings = {
  name: (adjective: string, animal: string) => `${adjective} ${animal}`,
  // prettier-ignore
  adjectives: [
    'Amber', 'Brave', 'Bright', 'Calm', 'Cheerful', 'Clever', 'Curious', 'Daring', 'Eager', 'Gentle', 'Golden', 'Happy', 'Honest',
    'Jolly', 'Keen', 'Kind', 'Lively', 'Lucky', 'Mellow', 'Merry', 'Nimble', 'Noble', 'Patient', 'Playful', 'Polite', 'Quick',
    'Quiet', 'Silver', 'Sunny', 'Swift', 'Warm', 'Wise',
  ],
  // prettier-ignore
  animals: [
    'Badger', 'Bear', 'Beaver', 'Bison', 'Crane', 'Deer', 'Dolphin', 'Eagle', 'Falcon', 'Ferret', 'Finch', 'Fox', 'Hare', 'Hedgehog',
    'Heron', 'Ibis', 'Koala', 'Lark', 'Lynx', 'Marten', 'Mole', 'Otter', 'Owl', 'Panda', 'Puffin', 'Raven', 'Robin', 'Seal',
    'Sparrow', 'Swan', 'Turtle', 'Wren',
  ],
} as const
