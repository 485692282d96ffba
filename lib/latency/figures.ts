/** What is shown of a window's delays, and told to the person's other windows: read off the parts that know it. */
import type { Opened } from '../opened.ts'
import type { FarWindows } from './far-windows.ts'
import { LATEST, ownFiguresOf } from './journal.ts'
import { Kept } from './kept.ts'
import type { OwnEdits } from './own-edits.ts'
import type { Powers } from './powers.ts'
import type { ServerClock } from './server-clock.ts'
import type { OwnFigures, Summary, Switch } from './state.ts'

export interface FiguresParts {
  readonly opened: Opened
  readonly powers: Powers
  readonly own: OwnEdits
  readonly far: FarWindows
  readonly clock: ServerClock
}

export class Figures {
  readonly #parts: FiguresParts
  readonly #latest = new Kept<Pick<Summary, 'own' | 'windows'>>()
  readonly #sinceReset = new Kept<OwnFigures>()

  constructor(parts: FiguresParts) {
    this.#parts = parts
  }

  get sinceReset(): OwnFigures {
    return this.#sinceReset.get(this.#version, () => this.#parts.own.journal.sinceReset)
  }

  read(): Omit<Summary, 'timelines'> {
    const { opened, own, clock } = this.#parts
    const { session, main, status } = opened
    const { current, record } = session.links
    const perKey = own.perKey.mean
    return {
      ...(current && { link: current.info }),
      simulated: status.get().simulated !== undefined,
      roundTrip: clock.roundTrip,
      ...this.#latest.get(this.#version, () => this.#ofLatest()),
      queue: { edits: main.provider.edits - main.provider.saved, bytes: session.waitingBytes },
      ...(perKey && { perKey }),
      reconnects: Math.max(0, record.opened - 1 - record.switches),
      switches: this.switches,
    }
  }

  /** The record's times are by the session's clock. */
  get switches(): readonly Switch[] {
    const { opened, powers } = this.#parts
    const ahead = powers.now() - powers.clock.now()
    return opened.session.links.record.moves.map((move) => ({ ...move, at: move.at + ahead }))
  }

  #ofLatest(): Pick<Summary, 'own' | 'windows'> {
    const { own, far } = this.#parts
    const timelines = own.journal.latest(LATEST)
    return { own: ownFiguresOf(timelines), windows: far.figures(timelines) }
  }

  /** Of all that percentiles are made of, and of who is there. */
  get #version(): string {
    const { opened, own, far } = this.#parts
    return [own.journal.changes, far.changes, opened.main.awareness.getStates().size].join()
  }
}
