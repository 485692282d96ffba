/**
 * Collects what is typed between the keys of Find and its field, whose code may still be loading: it is meant for Find, and would change
 * the text. Outside of React, because the very next key may come before anything is rendered.
 */
let collector: HTMLInputElement | null = null

export function collectEarlyQuery(label: string): void {
  takeEarlyQuery()
  const focusedBefore = document.activeElement
  const field = document.createElement('input')
  field.className = 'sr-only'
  field.ariaLabel = label
  // The person went elsewhere.
  field.addEventListener('blur', () => collector === field && takeEarlyQuery())
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
  })
  collector = field
  document.body.append(field)
  field.focus({ preventScroll: true })
}

/** Ends the collection and returns what was typed. */
export function takeEarlyQuery(): string {
  const field = collector
  collector = null
  field?.remove()
  return field?.value ?? ''
}
