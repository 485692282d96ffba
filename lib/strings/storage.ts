/** What is said of the space that a person’s documents take on the server. */
const MIB = 1024 * 1024

/** "640 MB" or "1.5 GB". The settings count in MiB. */
export function sizeText(bytes: number): string {
  if (bytes < MIB / 10) return 'less than 0.1 MB'
  const inGigabytes = bytes >= 1000 * MIB
  const value = bytes / (inGigabytes ? 1024 * MIB : MIB)
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${inGigabytes ? 'GB' : 'MB'}`
}

export const storageStrings = {
  title: 'Space',
  used: (used: number) => `You use ${sizeText(used)}.`,
  usedOf: (used: number, limit: number) => `You use ${sizeText(used)} of ${sizeText(limit)}.`,
  counted: 'Your documents count with their files, comments and versions, also those in the trash.',
  nearlyFullTitle: 'Your space is almost full.',
  fullTitle: 'Your space is full.',
  toDocuments: 'Go to your documents',
  hint: 'To make room, delete documents, also from the trash, or versions you don’t need.',
  serverTitle: 'This server has no space left.',
  serverHint: 'Nobody’s text can grow until whoever runs it makes room.',
  yoursFull: (used: number, limit: number) =>
    `Your space is full: you use ${sizeText(used)} of ${sizeText(limit)}. Delete documents or versions to make room.`,
  othersFull: (name: string) =>
    `${name}’s space is full. Only they can make room, by deleting documents or versions of theirs.`,
  noVersion:
    'There is no space for another version. The owner can delete documents or versions to make room.',
  somebody: 'The owner',
  serverFull: 'This server has no space left. Whoever runs it has to make room.',
} as const
