/** Scrolls to the next change below the middle of the panel, or to the previous one above it, and returns it. Moves no focus. */
export function goToChange(list: HTMLElement | null, direction: 1 | -1): HTMLElement | undefined {
  const changes = [...(list?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
  const middle = innerHeight / 2
  const offsets = changes.map((change) => middleOf(change) - middle)
  // In px. A change in the middle is neither next nor previous.
  const index =
    direction > 0 ? offsets.findIndex((offset) => offset > 4) : offsets.findLastIndex((offset) => offset < -4)
  changes[index]?.scrollIntoView({ block: 'center' })
  return changes[index]
}

const middleOf = (element: HTMLElement): number => {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}
