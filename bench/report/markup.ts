/** Text within HTML. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => entities[letter]!)

/** A name as an anchor: `websocket-h2`. */
export const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
