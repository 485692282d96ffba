/** What is dear to make and changes seldom: made again where its key is another. */
export class Kept<Value> {
  #made: { readonly key: string; readonly value: Value } | null = null

  get(key: string, make: () => Value): Value {
    if (this.#made?.key !== key) this.#made = { key, value: make() }
    return this.#made.value
  }
}
