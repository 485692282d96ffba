/**
 * Limits how many files are sent and received at once, and ends a transfer within moments of the right to it being lost. It knows documents
 * and rights; it does not know bytes.
 */
import type { Access } from '../access/access.ts'
import { type Principal, type Right, roleAllows } from '../access/principal.ts'

/** A page shows many pictures at once, and HTTP/2 asks for them at once. */
const MAX_OF_PRINCIPAL = 200
const MAX_OF_ALL = 1_000

export interface Transfer {
  readonly document: string
  readonly principal: Principal
  readonly right: Right
  /** Is called when the right is lost. */
  end(): void
}

export class Transfers {
  readonly #access: Pick<Access, 'roleOf' | 'onChanged'>
  readonly #open = new Set<Transfer>()
  #unsubscribe: (() => void) | null = null

  constructor(access: Pick<Access, 'roleOf' | 'onChanged'>) {
    this.#access = access
  }

  /** Everybody who comes by a link's token is one principal. */
  hasRoomFor({ id, token }: Principal): boolean {
    if (this.#open.size >= MAX_OF_ALL) return false
    if (token !== undefined) return true
    const own = [...this.#open].filter(({ principal }) => principal.id === id)
    return own.length < MAX_OF_PRINCIPAL
  }

  /** Returns what is called once the transfer is over. */
  begin(transfer: Transfer): () => void {
    this.#open.add(transfer)
    this.#unsubscribe ??= this.#access.onChanged((document) => void this.#check(document))
    return () => {
      this.#open.delete(transfer)
      if (this.#open.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = null
    }
  }

  async #check(document: string): Promise<void> {
    for (const transfer of [...this.#open].filter((one) => one.document === document)) {
      const role = await this.#access.roleOf(transfer.principal, document).catch(() => null)
      if (role === null || !roleAllows(role, transfer.right)) transfer.end()
    }
  }
}

/** Ends the answer in the middle, so that the client sees that the end is missing. */
export class TransferEnded extends Error {
  override readonly name = 'TransferEnded'
}
