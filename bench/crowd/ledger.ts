/** Compares what one client should receive with what it did: each edit of each other author in its document once, and in the author's order. */

export interface Audit {
  /** Edits of others that arrived, each counted once. */
  delivered: number
  /** Edits that did not arrive although later ones of their author did, or the wait was over. */
  missing: number
  doubled: number
  /** Of those delivered, how many came behind a later one of their author. */
  disordered: number
}

export class Ledger {
  readonly #firstAuthor: number
  readonly #own: number
  /** By author, the clock that is due next. */
  readonly #next: Uint32Array
  /** What was jumped over. Hardly ever made. */
  #holes: Set<string> | null = null
  readonly audit: Audit = { delivered: 0, missing: 0, doubled: 0, disordered: 0 }

  /** Authors are numbered without a gap. @param own This client's own: its edits may come back, and count for nothing here. */
  constructor(firstAuthor: number, authors: number, own: number) {
    this.#firstAuthor = firstAuthor
    this.#own = own
    this.#next = new Uint32Array(authors)
  }

  /** Whether the edit is another's and new here. */
  take(author: number, clock: number): boolean {
    if (author === this.#own) return false
    const index = author - this.#firstAuthor
    const due = this.#next[index]
    if (due === undefined) throw new Error(`an edit by client ${author}, who is not in this document`)
    if (clock === due) this.#next[index] = due + 1
    else if (clock > due) this.#jump(author, due, clock)
    else if (!this.#fill(author, clock)) {
      this.audit.doubled++
      return false
    }
    this.audit.delivered++
    return true
  }

  /** How many edits of others are still out when each author has written `edits`. */
  lacking(edits: number): number {
    const authors = this.#next.length - 1
    return authors * edits - this.audit.delivered
  }

  #jump(author: number, due: number, clock: number): void {
    this.#holes ??= new Set()
    for (let hole = due; hole < clock; hole++) this.#holes.add(`${author} ${hole}`)
    this.#next[author - this.#firstAuthor] = clock + 1
  }

  #fill(author: number, clock: number): boolean {
    const was = this.#holes?.delete(`${author} ${clock}`) ?? false
    if (was) this.audit.disordered++
    return was
  }
}
