/** The day on which a document in the trash is deleted for good: "28 December". */
export const purgeDayOf = (time: string): string =>
  new Date(time).toLocaleDateString(undefined, { day: 'numeric', month: 'long' })
