/** Which paint showed which letter. Knows counts and moments; does not know pages. */

/** That many letters are on screen from then on. In ms, on the clock of the page they are shown in. */
export interface Paint {
  readonly letters: number
  readonly at: number
}

/**
 * Key → painted, in ms. The text begins empty, each key is a letter and none is taken back: so the first paint of n letters or more
 * shows the nth key's. One paint may show several.
 *
 * @param keys On the clock of the page that is typed in.
 * @param difference By how much that clock is ahead of the other page's.
 * @throws {Error} when a letter was never painted, or before its key.
 */
export function match(keys: readonly number[], paints: readonly Paint[], difference: number): number[] {
  return keys.map((key, index) => {
    const paint = paints.find(({ letters }) => letters > index)
    if (!paint) throw new Error(`Letter ${index + 1} of ${keys.length} was not painted.`)
    const ms = paint.at + difference - key
    if (!(ms >= 0)) throw new Error(`Letter ${index + 1} was painted ${ms} ms after its key: that cannot be.`)
    return ms
  })
}
