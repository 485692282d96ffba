/**
 * Counts the edits that are shown here: which are saved, which are on this device, and which are neither. Those of neighbours and those
 * that this window took over from one are counted apart, so that none counts twice. Knows numbers; does not know edits.
 */
import type { ClientChannel } from '../session/client-channel.ts'
import { AdoptedEdits } from './adopted-edits.ts'
import type { LocalCopy } from './local/local-copy.ts'
import type { EditCounts, NeighbourWindows } from './neighbour-windows.ts'

interface EditSources {
  readonly channel: Pick<ClientChannel, 'edits' | 'unsaved' | 'adoptEdits'>
  /** Null for a window without neighbours. */
  readonly neighbours: Pick<NeighbourWindows, 'unsaved' | 'unstored'> | null
  /** Null where this device stores nothing. */
  readonly localCopy: Pick<LocalCopy, 'unstored'> | null
}

export class EditCounter {
  readonly #sources: EditSources
  readonly #adopted = new AdoptedEdits()
  #isRefused = false

  constructor(sources: EditSources) {
    this.#sources = sources
  }

  /** All edits ever made here. */
  get edits(): number {
    return this.#sources.channel.edits
  }

  /** How many of those edits are saved; they are always the first ones. */
  get saved(): number {
    const { edits, unsaved } = this.#sources.channel
    return edits - unsaved
  }

  /** Counts all text that is shown here, the neighbours' included (W2). */
  get unsaved(): number {
    const { channel, neighbours } = this.#sources
    return channel.unsaved + (neighbours?.unsaved ?? 0)
  }

  /** Counts the `unsaved` edits that are not on this device either. */
  get unstored(): number {
    if (!this.#copy) return this.unsaved
    return this.#ownUnstored + (this.#sources.neighbours?.unstored ?? 0)
  }

  /** The counts of this window, for its neighbours. */
  get ownCounts(): EditCounts {
    const adopted = this.#adopted.unsaved(this.saved)
    const edits = this.edits - this.#adopted.edits
    const saved = edits - (this.#sources.channel.unsaved - adopted)
    return { edits, saved, adopted, unstored: this.#ownUnstored }
  }

  /** This window takes over edits of a neighbour that is gone or does not get them through. */
  adopt(edits: number, unstored: number): void {
    this.#adopted.add({ edits, upTo: this.edits + edits, unstored })
    this.#sources.channel.adoptEdits(edits)
  }

  /** Refused edits count as unstored: wherever they are stored, they are not shown again. */
  onRefused(): void {
    this.#isRefused = true
  }

  /** The copy on this device, while what it stores counts. */
  get #copy(): EditSources['localCopy'] {
    return this.#isRefused ? null : this.#sources.localCopy
  }

  /** Leaves out the neighbours' edits: each neighbour stores its own and reports them. */
  get #ownUnstored(): number {
    const { unsaved } = this.#sources.channel
    return this.#copy ? Math.min(this.#copy.unstored + this.#adopted.unstored(this.saved), unsaved) : unsaved
  }
}
