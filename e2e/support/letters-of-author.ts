/** What one author wrote, out of a text of several who write with different letters. `author` needs the flag g. */
export const lettersOfAuthor = (text: string, author: RegExp): string => (text.match(author) ?? []).join('')
