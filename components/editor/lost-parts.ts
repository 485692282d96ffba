/** What of something pasted the text has no place for, and how a person is told. */

const kinds = {
  table: ['table', 'tables'],
  image: ['image', 'images'],
  video: ['video', 'videos'],
  recording: ['recording', 'recordings'],
  page: ['embedded page', 'embedded pages'],
  file: ['file', 'files'],
} as const

export type LostParts = Readonly<Partial<Record<keyof typeof kinds, number>>>

/** "2 tables and 1 image could not be pasted." Null where nothing was lost. */
export function lostSentence(lost: LostParts): string | null {
  const counted = Object.entries(kinds).flatMap(([kind, [one, many]]) => {
    const count = lost[kind as keyof LostParts] ?? 0
    return count > 0 ? [`${count} ${count === 1 ? one : many}`] : []
  })
  if (counted.length === 0) return null
  const what = new Intl.ListFormat('en-GB').format(counted)
  const kept = lost.table ? ` The text of the ${lost.table === 1 ? 'table' : 'tables'} is kept.` : ''
  return `${what} could not be pasted.${kept}`
}
