/**
 * Keys as ProseMirror writes them: `Mod+B` is `Mod-b`. With Caps Lock on, a browser reports the capital, which is `Mod-B`; with Shift it
 * always does.
 */
export function proseMirrorKeysOf(keys: string): string[] {
  const parts = keys.split('+')
  const [modifiers, letter] = [parts.slice(0, -1), parts.at(-1)!]
  const written = [...modifiers, letter.toLowerCase()].join('-')
  return modifiers.includes('Shift') || letter === letter.toLowerCase()
    ? [written]
    : [written, [...modifiers, letter].join('-')]
}
