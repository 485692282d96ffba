/** What a document is called where it has no title. */
export const titleOf = (title: string): string => title.trim() || 'Untitled'
