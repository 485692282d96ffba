/** Each at least 5:1 under white letters and 3:1 on the light and on the dark page. */
const colours = [
  '#c2353f',
  '#b04a00',
  '#7d6500',
  '#2f7d32',
  '#007a75',
  '#1d6fc4',
  '#7856d8',
  '#b83a9b',
] as const

/** A person's colour follows from who they are: the same in every window, and nobody can choose an unreadable one. */
export function colourOf(person: string): string {
  // FNV-1a, 32 bits: its lowest bits mix too little to choose by.
  let hash = 0x811c9dc5
  for (let index = 0; index < person.length; index++) {
    hash = Math.imul(hash ^ person.charCodeAt(index), 0x01000193)
  }
  return colours[(hash >>> 16) % colours.length] ?? colours[0]
}
