/**
 * Holds keys that belong to code on its way, and those pressed after them. The text gets them in their order once that code is there or has
 * failed to load. Held letters are in no document, so few are held, and not for long: then, and before whatever else a person does, they
 * are pressed as the text's own keys. Knows keys; does not know what they do.
 */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

interface HeldKeys {
  readonly keys: KeyboardEvent[]
  isReleasing: boolean
  /** The first one belongs to other code, which is on its way, too. */
  isHeldAgain: boolean
}

/** A short line. */
const MAX_HELD_KEYS = 40
/** In ms, since the first one: code that takes longer may never come. */
const MAX_HOLD_MS = 5_000

const heldKeys = new Map<EditorView, HeldKeys>()
const withMenus = new WeakSet<EditorView>()
/** Their code took too long, or was overtaken. */
const withoutHolding = new WeakSet<EditorView>()
let haveMenusFailed = false

/** Whether the menus beside a text, which have keys in it, are on their way. */
export const areMenusComing = (view: EditorView): boolean => !haveMenusFailed && !withMenus.has(view)

export function onMenusReady(view: EditorView): void {
  withMenus.add(view)
  void releaseKeys(view)
}

/** From then on their keys are those of the text. */
export function onMenusFailed(): void {
  haveMenusFailed = true
  for (const view of heldKeys.keys()) void releaseKeys(view)
}

/** Holds a key until `releaseKeys`. False for a key that is the text's own by now. */
export function holdKey(view: EditorView, event: KeyboardEvent): boolean {
  if (withoutHolding.has(view)) return false
  event.preventDefault()
  // Whoever else takes keys gets it when it is pressed again.
  event.stopPropagation()
  const held = heldKeys.get(view)
  if (held?.isReleasing && !event.isTrusted) held.isHeldAgain = true
  else if (held) held.keys.push(event)
  else {
    const created = { keys: [event], isReleasing: false, isHeldAgain: false }
    heldKeys.set(view, created)
    setTimeout(() => heldKeys.get(view) === created && pressHeldKeys(view), MAX_HOLD_MS)
  }
  if ((held?.keys.length ?? 0) > MAX_HELD_KEYS) pressHeldKeys(view)
  return true
}

/** Presses all held keys now, as the text's own. */
function pressHeldKeys(view: EditorView): void {
  const held = heldKeys.get(view)
  if (!held) return
  heldKeys.delete(view)
  withoutHolding.add(view)
  for (const key of held.keys.splice(0)) if (!view.isDestroyed) pressKey(view, key)
}

/** Each in a task of its own, as a person's keys: React then draws what a key does before the next one. */
export async function releaseKeys(view: EditorView): Promise<void> {
  const held = heldKeys.get(view)
  if (!held || held.isReleasing) return
  Object.assign(held, { isReleasing: true, isHeldAgain: false })
  while (held.keys.length > 0 && !held.isHeldAgain) {
    await new Promise((resolve) => setTimeout(resolve))
    // What a person did meanwhile may have pressed them.
    const [key] = held.keys
    if (!key) break
    if (!view.isDestroyed) pressKey(view, key)
    if (!held.isHeldAgain && held.keys[0] === key) held.keys.shift()
  }
  held.isReleasing = false
  if (!held.isHeldAgain && heldKeys.get(view) === held) heldKeys.delete(view)
}

export const LateKeys = Extension.create({
  name: 'lateKeys',
  // Before all that takes keys, and after what arms Tab to leave the text.
  priority: 1_100,
  addProseMirrorPlugins: () => [
    new Plugin({
      view(view) {
        const press = (): void => pressHeldKeys(view)
        // Before others ask whether something is unsaved.
        addEventListener('beforeunload', press, { capture: true })
        addEventListener('pagehide', press, { capture: true })
        return {
          destroy() {
            removeEventListener('beforeunload', press, { capture: true })
            removeEventListener('pagehide', press, { capture: true })
          },
        }
      },
      props: {
        handleDOMEvents: {
          keydown: onKeyDown,
          paste: onOtherAct,
          cut: onOtherAct,
          drop: onOtherAct,
          compositionstart: onOtherAct,
          pointerdown: onOtherAct,
        },
        handleKeyDown: holdBlockKey,
      },
    }),
  ],
})

/** What a person does after the held keys comes after them. */
function onOtherAct(view: EditorView): boolean {
  pressHeldKeys(view)
  return false
}

function onKeyDown(view: EditorView, event: KeyboardEvent): boolean {
  const held = heldKeys.get(view)
  const isOther = event.ctrlKey || event.metaKey || event.isComposing || event.keyCode === 229
  if (!held || !event.isTrusted || isModifier(event)) return false
  if (isOther) return onOtherAct(view)
  const isAfterEscape = held.keys.length === 1 && held.keys[0]!.key === 'Escape' && !held.isReleasing
  // After Escape, Tab leaves the text, and a letter is written where the caret is.
  if (!isAfterEscape || (event.key !== 'Tab' && !isLetter(event))) return holdKey(view, event)
  heldKeys.delete(view)
  return false
}

/** Escape selects the block of the caret, and these arrows move it, by code that comes with the menus. */
const holdBlockKey = (view: EditorView, event: KeyboardEvent): boolean =>
  view.editable &&
  areMenusComing(view) &&
  (event.key === 'Escape' || (event.altKey && event.shiftKey && /^Arrow(?:Up|Down)$/.test(event.key))) &&
  holdKey(view, event)

const isModifier = ({ key }: KeyboardEvent): boolean => /^(?:Shift|Control|Alt|AltGraph|Meta)$/.test(key)

const isLetter = ({ key }: KeyboardEvent): boolean => Array.from(key).length === 1

const moves: Readonly<Record<string, readonly [direction: string, unit: string]>> = {
  ArrowLeft: ['left', 'character'],
  ArrowRight: ['right', 'character'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
}

/** A browser does nothing by itself for a key that a page presses. */
function pressKey(view: EditorView, event: KeyboardEvent): void {
  // The right to write may be gone since.
  if (!view.dom.dispatchEvent(new KeyboardEvent('keydown', event)) || !view.editable) return
  const { key, shiftKey } = event
  const move = moves[key]
  if (isLetter(event)) typeLetter(view, key)
  else if (key === 'Backspace' || key === 'Delete')
    document.execCommand(key === 'Delete' ? 'forwardDelete' : 'delete')
  else if (move) {
    getSelection()?.modify(shiftKey ? 'extend' : 'move', ...move)
    // The editor reads the caret now, and not with a later key.
    document.dispatchEvent(new Event('selectionchange'))
  }
}

function typeLetter(view: EditorView, letter: string): void {
  const { from, to } = view.state.selection
  const insert = () => view.state.tr.insertText(letter, from, to).scrollIntoView()
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, letter, insert)))
    view.dispatch(insert())
}
