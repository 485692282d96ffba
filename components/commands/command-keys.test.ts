import { expect, test } from 'vitest'
import { commandForKey, matchesShortcut } from './command-keys.ts'
import type { Command } from './command-registry.ts'

interface KeyEventOptions {
  key: string
  code?: string
  with?: string
  isComposing?: boolean
  defaultPrevented?: boolean
  target?: EventTarget
}

/** Builds an event as a browser sends it, because tests of this folder run without one. */
function createKeyEvent({ key, code = '', with: modifiers = '', ...rest }: KeyEventOptions): KeyboardEvent {
  const held = new Set(modifiers.split(' '))
  return {
    key,
    code,
    metaKey: held.has('Meta'),
    ctrlKey: held.has('Control'),
    altKey: held.has('Alt'),
    isComposing: false,
    defaultPrevented: false,
    getModifierState: (name: string) => held.has(name),
    ...rest,
  } as KeyboardEvent
}

test.each<[string, string, KeyEventOptions, boolean]>([
  ['the letter', 'Mod+Shift+P', { key: 'P', code: 'KeyP', with: 'Control Shift' }, true],
  ['without Shift', 'Mod+Shift+P', { key: 'p', code: 'KeyP', with: 'Control' }, false],
  ['with Alt besides', 'Mod+Shift+P', { key: 'P', code: 'KeyP', with: 'Control Shift Alt' }, false],
  ['another letter', 'Mod+Shift+P', { key: 'O', code: 'KeyO', with: 'Control Shift' }, false],
  ['Dvorak: the letter, not its place', 'Mod+K', { key: 'k', code: 'KeyV', with: 'Control' }, true],
  ['Dvorak: the place, not the letter', 'Mod+V', { key: 'k', code: 'KeyV', with: 'Control' }, false],
  ['Cyrillic: the place', 'Mod+Shift+P', { key: 'З', code: 'KeyP', with: 'Control Shift' }, true],
  ['AltGr types', 'Mod+Alt+L', { key: 'ł', code: 'KeyL', with: 'Control Alt AltGraph' }, false],
  ['Ctrl and Alt do not', 'Mod+Alt+L', { key: 'l', code: 'KeyL', with: 'Control Alt' }, true],
  ['a sign', 'Mod+/', { key: '/', code: 'Slash', with: 'Control' }, true],
  ['a sign that needs Shift', 'Mod+/', { key: '/', code: 'Digit7', with: 'Control Shift' }, true],
  ['a digit', 'Mod+Shift+7', { key: '7', code: 'Digit7', with: 'Control Shift' }, true],
  ['a function key', 'Shift+F6', { key: 'F6', code: 'F6', with: 'Shift' }, true],
  ['without its Shift', 'Shift+F6', { key: 'F6', code: 'F6' }, false],
])('%s', (_title, keys, given, expected) => {
  expect(matchesShortcut(createKeyEvent(given), keys)).toBe(expected)
})

const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  title: id,
  section: 'Help',
  keys: ['F6', 'Mod+/'],
  run: () => {},
  ...more,
})

const f6 = { key: 'F6', code: 'F6' }
const idOf = (event: KeyboardEvent, ...commands: Command[]) => commandForKey(event, commands)?.id

test('a letter without a modifier is text, and no command', () => {
  const greedy = command('a', { keys: ['J', 'Mod+J'] })
  expect(idOf(createKeyEvent({ key: 'j', code: 'KeyJ' }), greedy)).toBeUndefined()
  expect(idOf(createKeyEvent({ key: 'j', code: 'KeyJ', with: 'Control' }), greedy)).toBe('a')
})

test("each of a command's several keys runs it", () => {
  expect(idOf(createKeyEvent(f6), command('a'))).toBe('a')
  expect(idOf(createKeyEvent({ key: '/', code: 'Slash', with: 'Control' }), command('a'))).toBe('a')
})

test('a key goes to the first available command, and to none whose keys the text handles itself', () => {
  expect(idOf(createKeyEvent(f6), command('a', { when: () => false }), command('b'))).toBe('b')
  expect(idOf(createKeyEvent(f6), command('a', { keysInText: true }))).toBeUndefined()
  expect(idOf(createKeyEvent(f6), command('a', { when: () => false }))).toBeUndefined()
})

test('a key may be left to other listeners while its command can be run', () => {
  expect(idOf(createKeyEvent(f6), command('link', { keysWhen: () => false }), command('palette'))).toBe(
    'palette',
  )
})

test('a key that was handled already, or belongs to a composition, is ignored, unless a disabled button handled it', () => {
  expect(idOf(createKeyEvent({ ...f6, defaultPrevented: true }), command('a'))).toBeUndefined()
  expect(idOf(createKeyEvent({ ...f6, isComposing: true }), command('a'))).toBeUndefined()
  const targetWith = (disabled: string) => ({ getAttribute: () => disabled }) as unknown as EventTarget
  expect(
    idOf(createKeyEvent({ ...f6, defaultPrevented: true, target: targetWith('false') }), command('a')),
  ).toBeUndefined()
  expect(
    idOf(createKeyEvent({ ...f6, defaultPrevented: true, target: targetWith('true') }), command('a')),
  ).toBe('a')
})

test('an event of the browser’s suggestions, which has no key, runs nothing', () => {
  expect(commandForKey({ defaultPrevented: false } as KeyboardEvent, [command('a')])).toBeNull()
})
