/**
 * Keys as ProseMirror writes them: `Mod+B` is `Mod-b`. With Shift or Caps Lock a browser reports the capital: without a binding of its own,
 * `Mod-Shift-B` would count as `Mod-B`.
 */
export function proseMirrorKeysOf(keys: string): readonly string[] {
  const parts = keys.split('+')
  const [modifiers, letter] = [parts.slice(0, -1), parts.at(-1)!]
  const letters = new Set([letter.toLowerCase(), letter])
  return [...letters].map((one) => [...modifiers, one].join('-'))
}
