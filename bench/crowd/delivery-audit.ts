/** Checks what one client receives: each edit of each other author in its document once, and in the author's order. */

export interface DeliveryCounts {
  /** Edits of others that arrived, each counted once. */
  delivered: number
  /** Edits of others that had not arrived when the wait was over. */
  missing: number
  doubled: number
  /** Delivered edits that came behind a later one of their author. */
  disordered: number
}

export class DeliveryAudit {
  readonly #firstAuthor: number
  readonly #own: number
  /** The clock that is due next, by author. */
  readonly #next: Uint32Array
  /** The edits that later ones have overtaken; there are hardly ever any. */
  #overtaken: Set<string> | null = null
  readonly counts: DeliveryCounts = { delivered: 0, missing: 0, doubled: 0, disordered: 0 }

  /** Authors are numbered without a gap. @param own This client's author id: its edits may come back, and do not count. */
  constructor(firstAuthor: number, authors: number, own: number) {
    this.#firstAuthor = firstAuthor
    this.#own = own
    this.#next = new Uint32Array(authors)
  }

  /** Returns whether the edit is another author's, and new here. */
  receive(author: number, clock: number): boolean {
    if (author === this.#own) return false
    const index = author - this.#firstAuthor
    const due = this.#next[index]
    if (due === undefined) throw new Error(`an edit by client ${author}, who is not in this document`)
    if (clock === due) this.#next[index] = due + 1
    else if (clock > due) this.#overtake(author, due, clock)
    else if (this.#overtaken?.delete(`${author} ${clock}`)) this.counts.disordered++
    else {
      this.counts.doubled++
      return false
    }
    this.counts.delivered++
    return true
  }

  /** Returns how many edits of others are missing when each author has written `edits`. */
  missingOf(edits: number): number {
    const authors = this.#next.length - 1
    return authors * edits - this.counts.delivered
  }

  #overtake(author: number, due: number, clock: number): void {
    this.#overtaken ??= new Set()
    for (let earlier = due; earlier < clock; earlier++) this.#overtaken.add(`${author} ${earlier}`)
    this.#next[author - this.#firstAuthor] = clock + 1
  }
}
