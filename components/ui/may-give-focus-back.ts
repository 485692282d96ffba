/**
 * Whether a popup that closes has the focus, or nothing has: somebody may have taken it meanwhile. Base UI looks at that only where it
 * decides itself what gets the focus.
 */
export function mayGiveFocusBack(popup: HTMLElement | null): boolean {
  const { activeElement, body } = document
  return activeElement === null || activeElement === body || popup?.contains(activeElement) === true
}
