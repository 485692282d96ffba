/** What is dear to make and changes seldom: made again where its key is another. */
export class Memo<Value> {
  #cached: { readonly key: string; readonly value: Value } | null = null

  get(key: string, compute: () => Value): Value {
    if (this.#cached?.key !== key) this.#cached = { key, value: compute() }
    return this.#cached.value
  }
}
