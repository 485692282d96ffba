/** This page and the person's other windows of the scratch document, as what is measured. */
import type { OpenDocument } from '@/lib/client.ts'
import type { Latency, EditTimeline } from '@/lib/latency/latency-state.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { strings } from '@/lib/strings/lab.ts'
import type { LinkInfo, TransportId } from '@/lib/transports/transport.ts'
import type { OwnWindowEntry, WindowRegistry } from '@/lib/windows/window-registry.ts'
import { nameOf } from '@/components/connection/words'
import { windowName } from '@/components/windows/window-text'
import type { Subject } from './measure'
import type { Lane } from './result'
import { Typist } from './typist'

export interface Scene {
  readonly document: string
  readonly opened: OpenDocument
  readonly latency: Latency
  readonly register: Pick<WindowRegistry, 'get' | 'sendRequest' | 'subscribe'>
}

/** A window that has not gone over by then will not. */
const SWITCH_MS = 15_000
/** As long as the slowest way may take: a poll, over a simulated network. */
const ANSWER_MS = 8_000
const LOOK_MS = 50
/** Windows tell what they saw in batches. */
const BATCH_MS = 300

const windowsOf = ({ document, register }: Pick<Scene, 'document' | 'register'>): OwnWindowEntry[] =>
  register.get().filter((entry) => !entry.self && entry.document === document)

/** All windows at once, this page's among them. */
export async function goOver(scene: Scene, choice: TransportChoice): Promise<void> {
  for (const { id } of windowsOf(scene)) scene.register.sendRequest(id, { type: 'transport', choice })
  await scene.opened.switchTransport(choice)
}

export function subjectOf(scene: Scene): Subject {
  const { opened, latency } = scene
  const typist = new Typist(opened.doc)
  return {
    async switchTo(transport) {
      await goOver(scene, transport)
      await allOn(scene, transport)
      await allAnswer(scene)
      typist.clear()
      return opened.transport as LinkInfo
    },
    edit(intended) {
      latency.setIntendedTime(intended)
      typist.type()
    },
    answered: (signal) => answered(scene, signal),
    reset: () => latency.reset(),
    figures: () => ({ ...figuresOf(latency), ...(isSimulated(scene) && { simulated: true }) }),
  }
}

async function allOn(scene: Scene, transport: TransportId): Promise<void> {
  const late = () => windowsOf(scene).find(({ link }) => link?.transport !== transport)
  const deadline = performance.now() + SWITCH_MS
  for (let window = late(); window; window = late()) {
    if (performance.now() > deadline)
      throw new Error(strings.measure.didNotSwitch(windowName(window), nameOf(transport)))
    await sleep(LOOK_MS)
  }
}

/** A window that came a moment ago hears of the measurement within some seconds. */
async function allAnswer(scene: Scene): Promise<void> {
  const deadline = performance.now() + SWITCH_MS
  while (answering(scene) < windowsOf(scene).length) {
    if (performance.now() > deadline) throw new Error(strings.measure.noAnswer)
    await sleep(LOOK_MS)
  }
}

const answering = ({ latency }: Scene): number =>
  latency.get().windows.filter(({ own, present }) => own && present).length

async function answered(scene: Scene, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + ANSWER_MS
  while (performance.now() < deadline) {
    signal.throwIfAborted()
    const windows = answering(scene)
    if (scene.latency.timelines().every((timeline) => isAnswered(timeline, windows))) break
    await sleep(LOOK_MS)
  }
  await sleep(BATCH_MS)
}

const isAnswered = ({ saved, arrivals }: EditTimeline, windows: number): boolean =>
  saved !== undefined && arrivals.length >= windows

/** For one window at least, be it for a while. */
const isSimulated = (scene: Scene): boolean =>
  windowsOf(scene).some(({ simulated }) => simulated) ||
  scene.latency.timelines().some(({ link }) => link?.simulated)

function figuresOf(latency: Latency): Pick<Lane, 'acknowledged' | 'saved' | 'windows'> {
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
