/** The edits made in this window: noted in the journal, stamped for the others, and placed where those tell that they had them. */
import type { Opened } from '../opened.ts'
import type { ProviderWatch } from '../sync/provider.ts'
import type { LinkInfo } from '../transports/transport.ts'
import { linkKey } from './by-link.ts'
import type { Offset } from './clock-estimate.ts'
import type { FarWindows } from './far-windows.ts'
import { Journal } from './journal.ts'
import type { Seen, SeenRow, Stamp } from './messages.ts'
import { PerKey } from './per-key.ts'
import type { Powers } from './powers.ts'
import { structsOf } from './structs.ts'

/** A later answer tells more of a clock that leapt than of the network. */
const MAX_SPAN_MS = 60 * 60_000

export interface OwnEditsParts {
  readonly opened: Opened
  readonly powers: Powers
  readonly far: FarWindows
  /** Somebody of this person looks. */
  stamping(): boolean
  /** In the same turn as the edit, so that it goes in the same frame. */
  tell(stamp: Stamp): void
}

export class OwnEdits {
  readonly journal: Journal
  readonly perKey = new PerKey()
  readonly #parts: OwnEditsParts
  /** Another page load counts edits from 1 again. */
  readonly #opening = Math.floor(Math.random() * 2 ** 31)
  #stamp: Stamp | null = null
  #intended: number | undefined

  constructor(parts: OwnEditsParts) {
    this.#parts = parts
    this.journal = new Journal((client) => parts.far.idOf(client))
  }

  /** Of the edit that is being made. */
  get stamp(): Stamp | null {
    return this.#stamp
  }

  readonly watch: ProviderWatch = {
    onMade: (edit, number) => this.#made(edit, number),
    onCount: () => {
      const { provider } = this.#parts.opened.main
      this.journal.saved(provider.saved, this.#parts.powers.now(), this.#link)
      if (provider.refusal) this.journal.refused()
    },
  }

  intended(at: number): void {
    this.#intended = at
  }

  /** All messages up to this one are with the transport. */
  sent(upTo: number): void {
    this.journal.sent(upTo, this.#parts.powers.now(), this.#link)
  }

  /** @param shift From their clock to this one. */
  seen(client: number, { opening, rows }: Seen, shift: Offset): void {
    if (opening !== this.#opening) return
    for (const row of rows) this.#place(client, row, shift)
  }

  sleep(): void {
    this.#stamp = null
    this.#intended = undefined
  }

  reset(): void {
    this.journal.reset()
    this.perKey.reset()
  }

  #made(edit: number, number: number | undefined): void {
    const { opened, powers, stamping } = this.#parts
    this.#stamp = null
    if (!stamping()) return
    const at = powers.now()
    const input = this.#intended === undefined ? powers.inputAt() : undefined
    const by = input === undefined ? 'program' : 'input'
    this.journal.made({ edit, number, at, began: this.#intended ?? input, by })
    this.#intended = undefined
    const { bytesUp: up, bytesDown: down } = opened.session.links.record.traffic
    this.perKey.made(at, { up, down }, this.#link && linkKey(this.#link))
    this.#stampEdit(edit)
    powers.afterPaint((painted) => this.journal.painted(edit, painted))
  }

  get #link(): LinkInfo | undefined {
    return this.#parts.opened.session.links.current?.info
  }

  #stampEdit(edit: number): void {
    const { opened, tell } = this.#parts
    const { doc } = opened.main
    this.#stamp = { type: 'stamp', opening: this.#opening, edit, clock: structsOf(doc, doc.clientID) }
    tell(this.#stamp)
  }

  #place(client: number, row: SeenRow, { ms: shift, boundMs }: Offset): void {
    const key = this.journal.keyOf(row.edit)
    if (key === undefined) return
    const span = row.received + shift - key
    if (!(span >= -boundMs && span <= MAX_SPAN_MS)) return // a clock that lies or leapt
    const received = Math.max(0, span)
    const painted = row.painted === 'hidden' ? row.painted : received + row.painted
    const arrived = { client, received, applied: received + row.applied, painted, path: row.path, boundMs }
    if (this.journal.arrive(row.edit, arrived)) this.#parts.far.arrived(arrived)
  }
}
