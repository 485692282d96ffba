/** Answers what /lab/dashboard asks, over whichever way, after the wait that the question's seed decides. */
import {
  FIGURE_REQUEST,
  type Figure,
  type FigureRequest,
  readFigureRequest,
  figureWaitMs,
} from '../../lib/protocol/lab.ts'
import { strings as api } from '../../lib/strings/api.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { RequestRefusal, type RequestResponder } from '../sessions/request-handler.ts'
import type { FigureSource } from './figures.ts'

/** Answers that one person may have waiting, in all their windows: three dashboards at once. */
const MAX_PARKED = 150

export interface Lab {
  /** Answers that wait. */
  readonly parked: number
  /** @throws {LabBusy}, and what `signal` was aborted with. */
  figure(asked: FigureRequest, principal: Principal, signal: AbortSignal): Promise<Figure>
}

export class LabBusy extends Error {
  override readonly name = 'LabBusy'

  constructor() {
    super(api.tooFast.figures(MAX_PARKED))
  }
}

export function createLab(source: FigureSource): Lab {
  const parked = new Map<string, number>()
  let all = 0

  function park(id: string, by: 1 | -1): void {
    const left = (parked.get(id) ?? 0) + by
    if (left === 0) parked.delete(id)
    else parked.set(id, left)
    all += by
  }

  return {
    get parked() {
      return all
    },
    async figure(asked, { id }, signal) {
      if ((parked.get(id) ?? 0) >= MAX_PARKED) throw new LabBusy()
      const waitedMs = figureWaitMs(asked)
      park(id, 1)
      source.awake()
      try {
        await passed(waitedMs, signal)
        return { ...source.read(asked.chart), waitedMs }
      } finally {
        park(id, -1)
      }
    },
  }
}

/** The same for questions inside a session. @param lab Null where this server shows no figures. */
export const answersOf =
  (lab: Lab | null): RequestResponder =>
  async ({ about, body, principal, signal }) => {
    if (about !== FIGURE_REQUEST) return null
    if (!lab) throw new RequestRefusal({ code: 'not-offered', detail: strings.request.labOff })
    const asked = readFigureRequest(parsed(body))
    if (!asked) throw new RequestRefusal({ code: 'bad-message', detail: strings.request.noFigure })
    try {
      return new TextEncoder().encode(JSON.stringify(await lab.figure(asked, principal, signal)))
    } catch (error) {
      if (!(error instanceof LabBusy)) throw error
      throw new RequestRefusal({ code: 'overloaded', detail: error.message })
    }
  }

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    timer.unref()
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
