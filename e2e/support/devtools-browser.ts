/**
 * Runs Chromium as a person has it, driven by its DevTools protocol alone: Playwright keeps every page in view, whereas here one
 * tab is visible and the others are hidden, so that they can be frozen, too.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { awaitOutput, startChild, type TestChild } from '../../server/fixtures/child-process.ts'
import { chromiumArguments, findFullBrowser } from './chromium.ts'

/** The answer to a command, or an event. */
interface DevToolsMessage {
  readonly id?: number
  readonly result?: never
  readonly error?: { readonly message: string }
  readonly method?: string
  readonly params?: { readonly targetInfo: TargetInfo }
  readonly sessionId?: string
}

export class DevToolsBrowser {
  readonly #child: TestChild
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #pendingCommands = new Map<number, PromiseWithResolvers<never>>()
  readonly #onLoaded = new Map<string, () => void>()
  readonly #knownTargets = new Set<string>()
  #onTab: (targetId: string) => void = () => {}
  #commandCount = 0

  static async launch(): Promise<DevToolsBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'diptych-browser-'))
    const flags = [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      // A hidden page's timers are throttled to once a minute at once, not only after five minutes.
      '--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/1',
    ]
    const child = startChild(findFullBrowser()!, [...chromiumArguments, ...flags, 'about:blank'])
    const socket = new WebSocket((await awaitOutput(child, /DevTools listening on (ws:\S+)/))[1]!)
    await once(socket, 'open')
    return new DevToolsBrowser(child, folder, socket)
  }

  private constructor(child: TestChild, folder: string, socket: WebSocket) {
    this.#child = child
    this.#folder = folder
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as DevToolsMessage))
  }

  /** Opens a visible tab, and waits until it is loaded; the tab that was visible before is hidden. */
  async openTab(url: string): Promise<BrowserTab> {
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
    const sessionId = await this.#attachToTarget(targetId)
    await this.send('Page.enable', {}, sessionId)
    const loaded = new Promise<void>((resolve) => this.#onLoaded.set(sessionId, resolve))
    await this.send('Page.navigate', { url }, sessionId)
    await loaded
    return new BrowserTab(this, targetId, sessionId)
  }

  /** Returns a function to call after a page has opened a tab: it attaches to that tab. */
  async waitForNextTab(): Promise<() => Promise<BrowserTab>> {
    // The browser reports existing targets before its answer.
    await this.send('Target.setDiscoverTargets', { discover: true })
    const opened = new Promise<string>((resolve) => (this.#onTab = resolve))
    return async () => {
      const targetId = await opened
      return new BrowserTab(this, targetId, await this.#attachToTarget(targetId))
    }
  }

  async #attachToTarget(targetId: string): Promise<string> {
    const attach = { targetId, flatten: true }
    return (await this.send<{ sessionId: string }>('Target.attachToTarget', attach)).sessionId
  }

  send<Result>(method: string, params: object, sessionId?: string): Promise<Result> {
    const id = ++this.#commandCount
    const pending = Promise.withResolvers<never>()
    this.#pendingCommands.set(id, pending)
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }))
    return pending.promise
  }

  /** Stops the whole browser, as on a machine that goes to sleep. */
  suspend(): void {
    this.#sendSignal('SIGSTOP')
  }

  resume(): void {
    this.#sendSignal('SIGCONT')
  }

  async close(): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #onTargetCreated({ targetId, type }: TargetInfo): void {
    if (type !== 'page' || this.#knownTargets.has(targetId)) return
    this.#knownTargets.add(targetId)
    this.#onTab(targetId)
  }

  #sendSignal(signal: NodeJS.Signals): void {
    process.kill(-this.#child.process.pid!, signal)
  }

  #onMessage({ id, result, error, method, params, sessionId }: DevToolsMessage): void {
    if (method === 'Target.targetCreated' && params) this.#onTargetCreated(params.targetInfo)
    if (method === 'Page.loadEventFired') this.#onLoaded.get(sessionId ?? '')?.()
    if (id === undefined) return
    const pending = this.#pendingCommands.get(id)
    this.#pendingCommands.delete(id)
    if (error) pending?.reject(new Error(error.message))
    else pending?.resolve(result as never)
  }
}

interface TargetInfo {
  readonly targetId: string
  readonly type: string
}

export class BrowserTab {
  readonly #browser: DevToolsBrowser
  readonly #target: string
  readonly #session: string

  constructor(browser: DevToolsBrowser, target: string, session: string) {
    this.#browser = browser
    this.#target = target
    this.#session = session
  }

  async show(): Promise<void> {
    await this.#browser.send('Target.activateTarget', { targetId: this.#target })
  }

  /** Inserts text as an input method does: at once, at the caret. */
  async type(text: string): Promise<void> {
    await this.evaluate(`document.querySelector('[aria-label="Document"]').focus()`)
    await this.#send('Input.insertText', { text })
  }

  /** Works only while the tab is hidden. */
  async freeze(): Promise<void> {
    await this.#send('Page.setWebLifecycleState', { state: 'frozen' })
  }

  async thaw(): Promise<void> {
    await this.#send('Page.setWebLifecycleState', { state: 'active' })
  }

  /** Blocks the page without notice, until `stopHanging`. */
  async hang(): Promise<void> {
    await this.evaluate('setTimeout(() => { for (;;); })')
  }

  async stopHanging(): Promise<void> {
    await this.#send('Runtime.terminateExecution', {})
  }

  /** Evaluates the expression as within a click. */
  async click(expression: string): Promise<void> {
    await this.#send('Runtime.evaluate', { expression: `void (${expression})`, userGesture: true })
  }

  /** Returns the id of the page's main thread: pages that share a main thread have the same id. */
  async readIsolateId(): Promise<string> {
    return (await this.#send<{ id: string }>('Runtime.getIsolateId', {})).id
  }

  /** Returns the value of the expression, awaited when it is a promise. */
  async evaluate<Value>(expression: string): Promise<Value> {
    type EvaluateResult = {
      result: { value: Value }
      exceptionDetails?: { exception?: { description?: string } }
    }
    const parameters = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.#send<EvaluateResult>('Runtime.evaluate', parameters)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'The page threw.')
    return result.value
  }

  #send<Result>(method: string, params: object): Promise<Result> {
    return this.#browser.send(method, params, this.#session)
  }
}
