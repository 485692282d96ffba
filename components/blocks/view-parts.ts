/** What views of blocks have in common. They are plain elements: there may be hundreds. */
import type { ViewMutationRecord } from '@tiptap/pm/view'

/** An element beside the content of a block. */
export function createViewPart(name: string, className: string): HTMLElement {
  const part = document.createElement(name)
  part.className = className
  part.contentEditable = 'false'
  return part
}

/** With a mouse it takes the text neither the focus nor the selection. */
export function createViewButton(className: string, label = ''): HTMLButtonElement {
  const button = createViewPart('button', className) as HTMLButtonElement
  button.type = 'button'
  button.ariaLabel = label
  button.addEventListener('mousedown', (event) => event.preventDefault())
  return button
}

/** A selection is the editor's own wherever it is: the browser puts the caret beside a button, too. */
export const isBesideContent = ({ type, target }: ViewMutationRecord, contentDOM: globalThis.Node): boolean =>
  type !== 'selection' && !contentDOM.contains(target)
