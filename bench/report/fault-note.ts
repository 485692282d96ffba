/** Says in how many trials something went wrong, and in which. */

const SHOWN_FAULTS = 3

/** `Connections ended in 4 of 30 trials: Diptych, WebSocket, round 1 (2, gone); …; and 1 more.` Undefined if there are no faults. */
export function faultNote(title: string, faults: readonly string[], trials: number): string | undefined {
  if (faults.length === 0) return undefined
  const more = faults.length > SHOWN_FAULTS ? [`and ${faults.length - SHOWN_FAULTS} more`] : []
  const shown = [...faults.slice(0, SHOWN_FAULTS), ...more].join('; ')
  return `${title} in ${faults.length} of ${trials} trials: ${shown}.`
}
