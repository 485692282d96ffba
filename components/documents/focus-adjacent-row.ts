/** Call it before a focused row leaves its list: it moves the focus to the next row, or to the page if there is none. */
export function focusAdjacentRow(row: Element | null): void {
  const adjacentRow = row?.nextElementSibling ?? row?.previousElementSibling
  const target = adjacentRow?.querySelector<HTMLElement>('button') ?? document.getElementById('documents')
  target?.focus()
}
