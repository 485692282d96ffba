/** What is shown of a window's delays, and told to the person's other windows: read off the parts that know it. */
import type { Opened } from '../opened.ts'
import { apart, linkKey } from './by-link.ts'
import type { FarWindows } from './far-windows.ts'
import { LATEST, ownFiguresOf } from './journal.ts'
import { Kept } from './kept.ts'
import type { OwnEdits } from './own-edits.ts'
import type { Powers } from './powers.ts'
import type { ServerClock } from './server-clock.ts'
import type { Summary, Switch } from './state.ts'

export interface FiguresParts {
  readonly opened: Opened
  readonly powers: Powers
  readonly own: OwnEdits
  readonly far: FarWindows
  readonly clock: ServerClock
}

/** What seldom changes while nothing is typed: the same objects until it does. */
type Rest = Omit<Summary, 'link' | 'roundTrip' | 'traffic' | 'timelines'>

export class Figures {
  readonly #parts: FiguresParts
  readonly #latest = new Kept<Rest>()

  constructor(parts: FiguresParts) {
    this.#parts = parts
  }

  read(): Omit<Summary, 'timelines'> {
    const { opened, powers, clock } = this.#parts
    const { current, record } = opened.session.links
    const { bytesUp: up, bytesDown: down } = record.traffic
    return {
      ...(current && { link: current.info }),
      roundTrip: clock.roundTrip,
      traffic: { at: powers.now(), up, down },
      ...this.#latest.get(this.#restVersion, () => this.#rest()),
    }
  }

  /** The same as long as all of it is. */
  get version(): string {
    return `${this.#parts.clock.changes} ${this.#restVersion}`
  }

  /** The record's times are by the session's clock. */
  get #switches(): readonly Switch[] {
    const { opened, powers } = this.#parts
    const ahead = powers.now() - powers.clock.now()
    return opened.session.links.record.moves.map((move) => ({ ...move, at: move.at + ahead }))
  }

  #rest(): Rest {
    const { opened, own, far } = this.#parts
    const { session, main, status } = opened
    const { record } = session.links
    const link = session.links.current?.info
    const { inUse, earlier } = apart(own.journal.latest(LATEST), link)
    const perKey = own.perKey.mean(link && linkKey(link))
    return {
      simulated: status.get().simulated !== undefined,
      own: ownFiguresOf(inUse),
      windows: far.figures(inUse),
      earlier: earlier.map(({ link: by, timelines }) => ({
        link: by,
        edits: timelines.length,
        own: ownFiguresOf(timelines),
      })),
      queue: { edits: main.provider.edits - main.provider.saved, bytes: session.waitingBytes },
      ...(perKey && { perKey }),
      reconnects: Math.max(0, record.opened - 1 - record.switches),
      switches: this.#switches,
    }
  }

  /** Of all that percentiles are made of, of who is there, what waits, and the links. */
  get #restVersion(): string {
    const { opened, own, far } = this.#parts
    const { session, main, status } = opened
    const { current, record } = session.links
    return [
      own.journal.changes,
      far.changes,
      main.awareness.getStates().size,
      main.provider.edits,
      main.provider.saved,
      session.waitingBytes,
      record.opened,
      current && linkKey(current.info),
      status.get().simulated !== undefined,
    ].join()
  }
}
