/** Builds the summary of a window's delays, for the screen and for the person's other windows, from the parts that know them. */
import type { DocumentHandle } from '../document-handle.ts'
import { splitByLink, linkKey } from './edits-by-link.ts'
import type { RemoteWindows } from './remote-windows.ts'
import { LATEST_EDITS, ownFiguresOf } from './journal.ts'
import { Memo } from './memo.ts'
import type { OwnEdits } from './own-edits.ts'
import type { MeasurementPlatform } from './measurement-platform.ts'
import type { ServerClock } from './server-clock.ts'
import type { LatencySummary, TransportSwitch } from './latency-state.ts'

export interface SummaryBuilderDependencies {
  readonly opened: DocumentHandle
  readonly platform: MeasurementPlatform
  readonly own: OwnEdits
  readonly remoteWindows: RemoteWindows
  readonly clock: ServerClock
}

/** What seldom changes while nothing is typed: the objects stay the same until it does. */
type CachedSummary = Omit<LatencySummary, 'link' | 'roundTrip' | 'traffic' | 'timelines'>

export class SummaryBuilder {
  readonly #dependencies: SummaryBuilderDependencies
  readonly #cache = new Memo<CachedSummary>()

  constructor(dependencies: SummaryBuilderDependencies) {
    this.#dependencies = dependencies
  }

  build(): Omit<LatencySummary, 'timelines'> {
    const { opened, platform, clock } = this.#dependencies
    const { current, record } = opened.session.links
    const { bytesUp: up, bytesDown: down } = record.traffic
    return {
      ...(current && { link: current.info }),
      roundTrip: clock.roundTrip,
      traffic: { at: platform.now(), up, down },
      ...this.#cache.get(this.#cachedVersion, () => this.#buildCached()),
    }
  }

  /** Stays the same as long as the whole summary does. */
  get version(): string {
    return `${this.#dependencies.clock.revision} ${this.#cachedVersion}`
  }

  /** Converts the record's times, which are by the session's clock. */
  get #switches(): readonly TransportSwitch[] {
    const { opened, platform } = this.#dependencies
    const ahead = platform.now() - platform.clock.now()
    return opened.session.links.record.linkChanges.map((move) => ({ ...move, at: move.at + ahead }))
  }

  #buildCached(): CachedSummary {
    const { opened, own, remoteWindows } = this.#dependencies
    const { session, mainPart, status } = opened
    const { record } = session.links
    const link = session.links.current?.info
    const { inUse, earlier } = splitByLink(own.journal.latest(LATEST_EDITS), link)
    const perKey = own.bytesPerKey.mean(link && linkKey(link))
    return {
      simulated: status.get().simulated !== undefined,
      own: ownFiguresOf(inUse),
      windows: remoteWindows.figuresOf(inUse),
      earlier: earlier.map(({ link: by, timelines }) => ({
        link: by,
        edits: timelines.length,
        own: ownFiguresOf(timelines),
      })),
      queue: { edits: mainPart.provider.edits - mainPart.provider.saved, bytes: session.unacknowledgedBytes },
      ...(perKey && { perKey }),
      reconnects: Math.max(0, record.opened - 1 - record.switches),
      switches: this.#switches,
    }
  }

  /** Changes with everything that percentiles are made of, with the windows that are here, with waiting edits, and with links. */
  get #cachedVersion(): string {
    const { opened, own, remoteWindows } = this.#dependencies
    const { session, mainPart, status } = opened
    const { current, record } = session.links
    return [
      own.journal.revision,
      remoteWindows.revision,
      mainPart.awareness.getStates().size,
      mainPart.provider.edits,
      mainPart.provider.saved,
      session.unacknowledgedBytes,
      record.opened,
      current && linkKey(current.info),
      status.get().simulated !== undefined,
    ].join()
  }
}
