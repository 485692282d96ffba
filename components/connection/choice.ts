/** Where the chosen transport is remembered: for the person, and for one window that wants another. */
import { create } from 'zustand'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'

export const choiceKey = 'diptych.transport'

type Place = 'localStorage' | 'sessionStorage'

/** Storage can be forbidden, then nothing is remembered; and anybody may have written there. */
function read(place: Place): TransportChoice | undefined {
  try {
    const value = window[place].getItem(choiceKey)
    return transportChoices.find((choice) => choice === value)
  } catch {
    return undefined
  }
}

function write(place: Place, choice: TransportChoice | null): void {
  try {
    if (choice) window[place].setItem(choiceKey, choice)
    else window[place].removeItem(choiceKey)
  } catch {
    // The choice holds until this window closes.
  }
}

export const rememberedChoice = (): TransportChoice =>
  read('sessionStorage') ?? read('localStorage') ?? 'automatic'

/** A choice for this window alone covers the person's own until it is given up. */
export function rememberChoice(choice: TransportChoice, onlyHere: boolean): void {
  write('sessionStorage', onlyHere ? choice : null)
  if (!onlyHere) write('localStorage', choice)
}

interface ConnectionUi {
  readonly onlyHere: boolean
  readonly setOnlyHere: (onlyHere: boolean) => void
}

/** This window's own state. */
export const useConnectionUi = create<ConnectionUi>((set) => ({
  onlyHere: typeof window !== 'undefined' && read('sessionStorage') !== undefined,
  setOnlyHere: (onlyHere) => set({ onlyHere }),
}))
