import type { Awareness } from 'y-protocols/awareness'

/** Stops the timer by which y-protocols removes whoever is silent for 30 s, and renews one's own state. */
export const stopTimeouts = (awareness: Awareness): void => clearInterval(awareness._checkInterval)
