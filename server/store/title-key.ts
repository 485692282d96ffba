/** The limit in characters. Titles that are equal up to it are sorted by id. */
const MAX_KEY = 100

const accents = /[\u0300-\u036f]/g

/** Returns the key by which documents are sorted: the title without case and accents, which SQLite cannot ignore. */
export const titleKey = (title: string): string =>
  title.normalize('NFKD').replaceAll(accents, '').toLowerCase().trim().slice(0, MAX_KEY).toWellFormed()
