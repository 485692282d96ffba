/** Opens the toggles around a part of a text, so that it can be scrolled to. */
export function openTogglesAround(part: globalThis.Node | null): void {
  const start = part instanceof Element ? part : part?.parentElement
  for (let at = start; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
  // The event by which a browser says that it has found something in a hidden element. Views in the editor listen to it.
  start?.dispatchEvent(new Event('beforematch', { bubbles: true }))
}
