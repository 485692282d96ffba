/** Before a row leaves its list with the keyboard in it: the next row has the keyboard then, or the page where there is none. */
export function focusBeside(row: Element | null): void {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const target = beside?.querySelector<HTMLElement>('button') ?? document.getElementById('documents')
  target?.focus()
}
