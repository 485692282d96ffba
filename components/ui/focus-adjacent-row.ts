/**
 * Call it before a focused row leaves its list: it moves the focus to the next row. @param fallback The id of what gets the focus if there
 * is none.
 */
export function focusAdjacentRow(row: Element | null, fallback = 'documents'): void {
  const adjacentRow = row?.nextElementSibling ?? row?.previousElementSibling
  const target =
    adjacentRow?.querySelector<HTMLElement>('[aria-haspopup], button:not([aria-pressed])') ??
    document.getElementById(fallback)
  target?.focus()
}
