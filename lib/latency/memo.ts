/** Caches a value that is costly to compute and seldom changes: it is computed again when its key changes. */
export class Memo<Value> {
  #cached: { readonly key: string; readonly value: Value } | null = null

  get(key: string, compute: () => Value): Value {
    if (this.#cached?.key !== key) this.#cached = { key, value: compute() }
    return this.#cached.value
  }
}
