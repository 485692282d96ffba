/** Answers the requests of /lab/dashboard over any transport, after the wait that the request's seed decides. */
import {
  FIGURE_REQUEST,
  type Figure,
  type FigureRequest,
  readFigureRequest,
  figureWaitMs,
} from '../../lib/protocol/lab.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { RequestRefusal, type RequestResponder } from '../sessions/session-request-handler.ts'
import type { FigureSource } from './figure-source.ts'

/** The most answers that may wait for one person, in all their windows: three dashboards at once. */
const MAX_WAITING = 150

export interface Lab {
  /** The answers that wait now. */
  readonly waitingCount: number
  /** @throws {LabBusy}, and what `signal` was aborted with. */
  requestFigure(request: FigureRequest, principal: Principal, signal: AbortSignal): Promise<Figure>
}

export class LabBusy extends Error {
  override readonly name = 'LabBusy'

  constructor() {
    super(apiStrings.tooFast.figures(MAX_WAITING))
  }
}

export function createLab(source: FigureSource): Lab {
  const waitingByPerson = new Map<string, number>()
  let totalWaiting = 0

  function addWaiting(id: string, change: 1 | -1): void {
    const waiting = (waitingByPerson.get(id) ?? 0) + change
    if (waiting === 0) waitingByPerson.delete(id)
    else waitingByPerson.set(id, waiting)
    totalWaiting += change
  }

  return {
    get waitingCount() {
      return totalWaiting
    },
    async requestFigure(request, { id }, signal) {
      if ((waitingByPerson.get(id) ?? 0) >= MAX_WAITING) throw new LabBusy()
      const waitedMs = figureWaitMs(request)
      addWaiting(id, 1)
      source.keepMeasuring()
      try {
        await waitUntilPassed(waitedMs, signal)
        return { ...source.readFigure(request.chart), waitedMs }
      } finally {
        addWaiting(id, -1)
      }
    },
  }
}

/** Answers the same requests within a session. @param lab Null where this server shows no figures. */
export const createLabResponder =
  (lab: Lab | null): RequestResponder =>
  async ({ method, parameters, principal, signal }) => {
    if (method !== FIGURE_REQUEST) return null
    if (!lab) throw new RequestRefusal({ code: 'not-offered', detail: serverRefusalsStrings.request.labOff })
    const request = readFigureRequest(parseJson(parameters))
    if (!request)
      throw new RequestRefusal({ code: 'bad-message', detail: serverRefusalsStrings.request.noFigure })
    try {
      return new TextEncoder().encode(JSON.stringify(await lab.requestFigure(request, principal, signal)))
    } catch (error) {
      if (!(error instanceof LabBusy)) throw error
      throw new RequestRefusal({ code: 'overloaded', detail: error.message })
    }
  }

function parseJson(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(json))
  } catch {
    return undefined
  }
}

function waitUntilPassed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    timer.unref()
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
