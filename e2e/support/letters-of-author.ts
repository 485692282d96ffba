/** Returns what one author wrote in a text of several authors, who write with different letters. `author` needs the flag g. */
export const lettersOfAuthor = (text: string, author: RegExp): string => (text.match(author) ?? []).join('')
