/** Before a row leaves its list with the keyboard in it: the next row has the keyboard then, or the page where there is none. */
export function focusAdjacentRow(row: Element | null): void {
  const adjacentRow = row?.nextElementSibling ?? row?.previousElementSibling
  const target = adjacentRow?.querySelector<HTMLElement>('button') ?? document.getElementById('documents')
  target?.focus()
}
