/** Which command a key press means. Knows key events and how shortcuts are written; does not know what commands do. */
import { matchKeybindingPress, parseKeybinding } from 'tinykeys'
import { type Command, isPossible, keysOf } from './registry.ts'

/** Null where the key means none of them, or is not ours to take: somebody has taken it, or composes a word. */
export function commandOf(event: KeyboardEvent, commands: readonly Command[]): Command | null {
  // Choosing from the browser's own suggestions sends a keydown that is no KeyboardEvent.
  if (isTaken(event) || event.isComposing || !event.key) return null
  return (
    commands.find(
      (command) => isBoundTo(command, event) && isPossible(command) && (command.keysWhen?.() ?? true),
    ) ?? null
  )
}

/** A toolbar's button that is disabled and has the focus swallows all keys, and means none of them. */
const isTaken = ({ defaultPrevented, target }: KeyboardEvent): boolean =>
  defaultPrevented && (target as Element | null)?.getAttribute('aria-disabled') !== 'true'

const isBoundTo = (command: Command, event: KeyboardEvent): boolean =>
  !command.keysInText && keysOf(command).some((keys) => means(event, keys))

/** "Mod+Shift+7" means ⌘ on a Mac and Ctrl elsewhere. */
export function means(event: KeyboardEvent, keys: string): boolean {
  const { byKey, byPlace } = pressesOf(keys)
  return matches(event, byKey) || (typesNoLatinLetter(event) && matches(event, byPlace))
}

/**
 * Then the key's place counts: on a Mac Alt changes the letter, and many keyboards have letters of their own. AltGr types, also with
 * Ctrl, which Windows adds by itself.
 */
const typesNoLatinLetter = (event: KeyboardEvent): boolean =>
  !/^[a-z]$/i.test(event.key) && (event.metaKey || !event.getModifierState('AltGraph'))

type Press = ReturnType<typeof parseKeybinding>[number]

const matches = (event: KeyboardEvent, press: Press | undefined): boolean =>
  press !== undefined && matchKeybindingPress(event, press)

interface Presses {
  readonly byKey: Press | undefined
  readonly byPlace: Press | undefined
}

const known = new Map<string, Presses>()

function pressesOf(keys: string): Presses {
  const found = known.get(keys)
  if (found) return found
  const written = withAnyShift(keys.replace('Mod', '$mod'))
  const place = /\b[A-Z]$/.test(written) ? written.replace(/.$/, 'Key$&') : written
  const presses = { byKey: parseKeybinding(written)[0], byPlace: parseKeybinding(place)[0] }
  known.set(keys, presses)
  return presses
}

/** Signs are typed with Shift on one keyboard and without on another. */
const withAnyShift = (keys: string): string => keys.replace(/\+([^\w+])$/, '+[Shift]+$1')
