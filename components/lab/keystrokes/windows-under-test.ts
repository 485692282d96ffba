/** The windows under test: this page and the person's other windows of the scratch document. */
import type { OpenDocument } from '@/lib/client.ts'
import type { Latency, EditTimeline } from '@/lib/latency/latency-state.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import type { LinkInfo, TransportId } from '@/lib/transports/transport.ts'
import type { OwnWindowEntry, WindowRegistry } from '@/lib/windows/window-registry.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { windowName } from '@/components/windows/window-text.ts'
import type { WindowsUnderTest } from './measure-lanes.ts'
import type { TransportLane } from './keystrokes-result.ts'
import { Typist } from './typist.ts'

export interface LabContext {
  readonly document: string
  readonly opened: OpenDocument
  readonly latency: Latency
  readonly registry: Pick<WindowRegistry, 'get' | 'sendRequest' | 'subscribe'>
}

/** A window that has not switched by then will not. */
const SWITCH_TIMEOUT_MS = 15_000
/** As long as the slowest transport may take: polling over a simulated network. */
const ANSWER_TIMEOUT_MS = 8_000
const POLL_INTERVAL_MS = 50
/** Windows report what they saw in batches. */
const REPORT_BATCH_MS = 300

const otherWindowsOf = ({
  document,
  registry,
}: Pick<LabContext, 'document' | 'registry'>): OwnWindowEntry[] =>
  registry.get().filter((entry) => !entry.self && entry.document === document)

/** Switches all windows at once, this page's among them. */
export async function switchAllWindows(context: LabContext, choice: TransportChoice): Promise<void> {
  for (const { id } of otherWindowsOf(context))
    context.registry.sendRequest(id, { type: 'transport', choice })
  await context.opened.switchTransport(choice)
}

export function createWindowsUnderTest(context: LabContext): WindowsUnderTest {
  const { opened, latency } = context
  const typist = new Typist(opened.doc)
  return {
    async switchTransport(transport) {
      await switchAllWindows(context, transport)
      await waitUntilAllSwitched(context, transport)
      await waitUntilAllReport(context)
      typist.clear()
      return opened.transport as LinkInfo
    },
    makeEdit(dueAt) {
      latency.setIntendedTime(dueAt)
      typist.typeLetter()
    },
    waitForAnswers: (signal) => waitForAnswers(context, signal),
    reset: () => latency.reset(),
    collectFigures: () => ({ ...laneFigures(latency), ...(isSimulated(context) && { simulated: true }) }),
  }
}

async function waitUntilAllSwitched(context: LabContext, transport: TransportId): Promise<void> {
  const findUnswitched = () => otherWindowsOf(context).find(({ link }) => link?.transport !== transport)
  const deadline = performance.now() + SWITCH_TIMEOUT_MS
  for (let window = findUnswitched(); window; window = findUnswitched()) {
    if (performance.now() > deadline)
      throw new Error(labStrings.measure.didNotSwitch(windowName(window), transportNameOf(transport)))
    await sleep(POLL_INTERVAL_MS)
  }
}

/** A window that has just opened learns of the measurement within some seconds. */
async function waitUntilAllReport(context: LabContext): Promise<void> {
  const deadline = performance.now() + SWITCH_TIMEOUT_MS
  while (reportingCount(context) < otherWindowsOf(context).length) {
    if (performance.now() > deadline) throw new Error(labStrings.measure.noAnswer)
    await sleep(POLL_INTERVAL_MS)
  }
}

const reportingCount = ({ latency }: LabContext): number =>
  latency.get().windows.filter(({ own, present }) => own && present).length

async function waitForAnswers(context: LabContext, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + ANSWER_TIMEOUT_MS
  while (performance.now() < deadline) {
    signal.throwIfAborted()
    const windows = reportingCount(context)
    if (context.latency.timelines().every((timeline) => isAnswered(timeline, windows))) break
    await sleep(POLL_INTERVAL_MS)
  }
  await sleep(REPORT_BATCH_MS)
}

const isAnswered = ({ saved, arrivals }: EditTimeline, windows: number): boolean =>
  saved !== undefined && arrivals.length >= windows

/** Whether the network is simulated for at least one window, even if only for a while. */
const isSimulated = (context: LabContext): boolean =>
  otherWindowsOf(context).some(({ simulated }) => simulated) ||
  context.latency.timelines().some(({ link }) => link?.simulated)

function laneFigures(latency: Latency): Pick<TransportLane, 'acknowledged' | 'saved' | 'windows'> {
  const { own, windows } = latency.get()
  return {
    acknowledged: own.acknowledged,
    saved: own.saved,
    windows: windows
      .filter((window) => window.own && window.present)
      .map(({ name, device, sameBrowser, boundMs, applied, painted, hidden }) => ({
        name: name.slice(0, 200),
        device: device.slice(0, 200),
        sameBrowser,
        applied,
        painted,
        hidden,
        ...(boundMs !== undefined && { boundMs }),
      })),
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
