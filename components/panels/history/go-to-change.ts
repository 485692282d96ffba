/** Brings the next change below the middle of the panel into view, or the one above it. Moves no focus. */
export function goToChange(list: HTMLElement | null, direction: 1 | -1): void {
  const changes = [...(list?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
  const middle = innerHeight / 2
  const offsets = changes.map((change) => middleOf(change) - middle)
  // A change that stands in the middle is neither next nor previous. In px.
  const index =
    direction > 0 ? offsets.findIndex((offset) => offset > 4) : offsets.findLastIndex((offset) => offset < -4)
  changes[index]?.scrollIntoView({ block: 'center' })
}

const middleOf = (element: HTMLElement): number => {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}
