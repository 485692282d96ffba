/** A refusal names the setting behind it for whoever runs the server, "… (LIMIT_IMPORT)": a person reads the sentence without. */
export const withoutSettings = (sentence: string): string => sentence.replaceAll(/ \(LIMIT_[A-Z_]+\)/g, '')
