/** Characters. Titles that are the same so far are sorted by id. */
const MAX_KEY = 100

const accents = /[\u0300-\u036f]/g

/** What documents are sorted by: the title without case and accents, of which SQLite knows nothing. */
export const titleKey = (title: string): string =>
  title.normalize('NFKD').replaceAll(accents, '').toLowerCase().trim().slice(0, MAX_KEY).toWellFormed()
