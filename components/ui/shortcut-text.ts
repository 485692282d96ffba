const isApplePlatform = (): boolean =>
  typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Writes "Mod+Shift+7" as this platform does: ⌘⇧7 or Ctrl+Shift+7. */
export function shortcutText(keys: string): string {
  if (!isApplePlatform()) return keys.replace('Mod', 'Ctrl')
  return keys.replace('Mod+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥')
}
