/** The parts of a table of HTML, by elements alone: not every DOM has `rows`, `cells` and `caption`. */

const partsOf = (table: Element, name: string): Element[] =>
  [...table.children].filter(({ localName }) => localName === name)

/** Its own, and none of a table within it: those of heads first, and those of feet last. */
export const rowsOf = (table: Element): HTMLElement[] =>
  [
    ...partsOf(table, 'thead').flatMap((part) => partsOf(part, 'tr')),
    ...[...table.children].flatMap((part) =>
      part.localName === 'tr' ? [part] : part.localName === 'tbody' ? partsOf(part, 'tr') : [],
    ),
    ...partsOf(table, 'tfoot').flatMap((part) => partsOf(part, 'tr')),
  ] as HTMLElement[]

export const cellsOf = (row: Element): HTMLElement[] =>
  [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th') as HTMLElement[]

export const captionOf = (table: Element): Element | undefined => partsOf(table, 'caption')[0]

/** As browsers read them. */
export function spanOfCell(cell: Element, side: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(cell.getAttribute(side) ?? '', 10)
  return span >= 1 ? Math.min(span, side === 'colspan' ? 1_000 : 65_534) : 1
}
