/** Finds the command that a key press means. Knows key events and how shortcuts are written; does not know what commands do. */
import { matchKeybindingPress, parseKeybinding } from 'tinykeys'
import { type Command, isCommandAvailable, commandKeysOf } from './command-registry.ts'

/** Null if the key means no command, if another listener has handled it, or if it is part of a composition. */
export function commandForKey(event: KeyboardEvent, commands: readonly Command[]): Command | null {
  // When a person chooses one of the browser's suggestions, the browser sends a keydown that is no KeyboardEvent.
  if (isHandled(event) || event.isComposing || !event.key || typesSign(event)) return null
  return (
    commands.find(
      (command) => isBoundTo(command, event) && isCommandAvailable(command) && (command.keysWhen?.() ?? true),
    ) ?? null
  )
}

/** Nobody's command takes a letter away from a text. */
const typesSign = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

/** A disabled toolbar button with the focus prevents the default of every key, without handling any. */
const isHandled = ({ defaultPrevented, target }: KeyboardEvent): boolean =>
  defaultPrevented && (target as Element | null)?.getAttribute('aria-disabled') !== 'true'

const isBoundTo = (command: Command, event: KeyboardEvent): boolean =>
  !command.keysInText && commandKeysOf(command).some((keys) => matchesShortcut(event, keys))

/** "Mod+Shift+7" means ⌘ on a Mac and Ctrl elsewhere. */
export function matchesShortcut(event: KeyboardEvent, keys: string): boolean {
  const { byKey, byPosition } = parseShortcut(keys)
  return matchesPress(event, byKey) || (typesNoLatinLetter(event) && matchesPress(event, byPosition))
}

/**
 * Whether the key's position counts instead of its letter: on a Mac, Alt changes the letter, and many keyboards have other alphabets. AltGr
 * types letters, also together with Ctrl, which Windows adds by itself.
 */
const typesNoLatinLetter = (event: KeyboardEvent): boolean =>
  !/^[a-z]$/i.test(event.key) && (event.metaKey || !event.getModifierState('AltGraph'))

type KeyPress = ReturnType<typeof parseKeybinding>[number]

const matchesPress = (event: KeyboardEvent, press: KeyPress | undefined): boolean =>
  press !== undefined && matchKeybindingPress(event, press)

interface ParsedShortcut {
  readonly byKey: KeyPress | undefined
  readonly byPosition: KeyPress | undefined
}

const parsedShortcuts = new Map<string, ParsedShortcut>()

function parseShortcut(keys: string): ParsedShortcut {
  const cached = parsedShortcuts.get(keys)
  if (cached) return cached
  const letterText = withOptionalShift(keys.replace('Mod', '$mod'))
  const positionText = /\b[A-Z]$/.test(letterText) ? letterText.replace(/.$/, 'Key$&') : letterText
  const parsed = { byKey: parseKeybinding(letterText)[0], byPosition: parseKeybinding(positionText)[0] }
  parsedShortcuts.set(keys, parsed)
  return parsed
}

/** Some keyboards need Shift to type a sign, and others do not. */
const withOptionalShift = (keys: string): string => keys.replace(/\+([^\w+])$/, '+[Shift]+$1')
