const accents = /[\u0300-\u036f]/g

/** Returns the text without case and accents: two that a person would find by the same words become alike. */
export const foldText = (text: string): string => text.normalize('NFKD').replaceAll(accents, '').toLowerCase()
