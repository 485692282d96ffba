/** Asks for a position of the text to be shown, from an element in it around which there is no React. */
import type { TextPosition } from '@/lib/following/text-position.ts'

const SHOW_IN_TEXT = 'showintext'

export const showInText = (from: HTMLElement, position: TextPosition): boolean =>
  from.dispatchEvent(new CustomEvent(SHOW_IN_TEXT, { bubbles: true, detail: position }))

/** Returns a function that stops it. */
export function onShowInText(text: HTMLElement, show: (position: TextPosition) => void): () => void {
  const listener = (event: Event) => show((event as CustomEvent<TextPosition>).detail)
  text.addEventListener(SHOW_IN_TEXT, listener)
  return () => text.removeEventListener(SHOW_IN_TEXT, listener)
}
